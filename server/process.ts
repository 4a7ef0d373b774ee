import { StartError } from '#server/start-error.ts';

/** How long stopping may take in all, before the process ends as it is; PostgreSQL then recovers at the next start. */
const STOP_MS = 30_000;

/** npm passes a Ctrl-C on that the terminal has already sent: only a later signal is a second one. */
const SAME_SIGNAL_MS = 1_000;

/** A process of the server, from its start to its end. */
export type RunningProcess = {
  /** What was opened, let go of in the opposite order at the end, even where a later step of the start fails. */
  resources: AsyncDisposableStack;
  /** Begins the end. */
  end(): void;
  /** The same, because of `error`; the exit code is 1. */
  fail(error: unknown): void;
  /** Resolves when the end has begun. */
  ended: Promise<void>;
  /** Aborted when the end has begun: a start that waits for something gives it up. */
  ending: AbortSignal;
};

/**
 * Runs `start`; then waits for SIGTERM, SIGINT, SIGHUP, `end` or `fail`, lets go of everything and ends the process. The end
 * may begin before the start is over, and its time counts from there. What an operator can put right is told in one line,
 * anything else with its stack.
 */
export async function runProcess(start: (running: RunningProcess) => Promise<void>): Promise<never> {
  // What the server writes (files, messages, secrets) is for its own user alone.
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
    console.error(error instanceof StartError ? error.message : error);
    end();
  };
  listenToSignals(end);
  process.on('uncaughtException', fail);
  await start({ resources, end, fail, ended, ending: ending.signal }).catch((error: unknown) => {
    // A start that the end has cut short did not fail.
    if (!ending.signal.aborted) fail(error);
  });
  await ended;
  await resources.disposeAsync().catch(fail);
  process.exit();
}

function giveUp(): never {
  console.error(`Stopping took more than ${STOP_MS / 1000} seconds: what was under way is cut`);
  process.exit(1);
}

function listenToSignals(end: () => void): void {
  let first: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
      end();
    });
  }
}
