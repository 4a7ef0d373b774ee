import { adviceFor } from '#server/start-error.ts';

/** Limit for the whole shutdown, after which the process exits as it is; PostgreSQL then recovers at the next start. */
const STOP_MS = 30_000;

/**
 * npm forwards a Ctrl-C that the terminal has also sent to this process: only a later signal counts as a second one.
 */
const SAME_SIGNAL_MS = 1_000;

/** A process of the server, from its start to its end. */
export type RunningProcess = {
  /** Opened resources, disposed in reverse order at the end, even if a later step of the start fails. */
  resources: AsyncDisposableStack;
  /** Begins stopping. */
  end(): void;
  /** Begins stopping because of `error`, which is printed; the exit code is 1. */
  fail(error: unknown): void;
  /** Resolves when stopping has begun. */
  ended: Promise<void>;
  /** Aborted when stopping has begun, so that a start waiting for something gives up. */
  ending: AbortSignal;
};

/**
 * Runs `start`, waits for SIGTERM, SIGINT, SIGHUP, `end` or `fail`, then disposes the resources and exits. Stopping may
 * begin before the start has finished; its time limit counts from then. A failure that the operator can fix is printed in
 * one line, any other error with its stack.
 */
export async function runProcess(start: (running: RunningProcess) => Promise<void>): Promise<never> {
  // Files written by the server (uploads, messages, secrets) are accessible to its own user only.
  process.umask(0o077);

  const resources = new AsyncDisposableStack();
  const ending = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = () => {
    if (ending.signal.aborted) return;
    setTimeout(giveUp, STOP_MS);
    ending.abort();
    resolve();
  };
  const fail = (error: unknown) => {
    process.exitCode = 1;
    console.error(adviceFor(error) ?? error);
    end();
  };
  listenToSignals(end, () => 1);
  process.on('uncaughtException', fail);
  await start({ resources, end, fail, ended, ending: ending.signal }).catch((error: unknown) => {
    // A start that was aborted by stopping did not fail.
    if (!ending.signal.aborted) fail(error);
  });
  await ended;
  await resources.disposeAsync().catch(fail);
  process.exit();
}

function giveUp(): never {
  console.error(`Stopping took more than ${STOP_MS / 1000} seconds: aborting what is still running`);
  process.exit(1);
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A signal that ends a process. */
export type EndingSignal = (typeof SIGNALS)[number];

/**
 * Calls `end` at such a signal; a second one ends the process at once.
 * @param exitCodeOf the exit code then
 * @returns stops listening
 */
export function listenToSignals(
  end: (signal: EndingSignal) => void,
  exitCodeOf: (signal: EndingSignal) => number,
): () => void {
  let first: number | undefined;
  const hear = (signal: EndingSignal) => {
    first ??= performance.now();
    if (performance.now() - first > SAME_SIGNAL_MS) process.exit(exitCodeOf(signal));
    end(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear);
  };
}
