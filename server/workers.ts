import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { ServingEnv } from '#server/env.ts';
import { answerWithin } from '#server/http/answer-within.ts';
import type { Figures } from '#server/http/metrics.ts';
import { StartError } from '#server/start-error.ts';

/** Messages to a worker; `first` is true for exactly one of the workers that start together. */
export type ToWorker =
  | { type: 'serve'; env: ServingEnv; first: boolean }
  | { type: 'measure' }
  | { type: 'stop' };
/** Messages from a worker: it is listening; the answer to `measure`. */
export type FromWorker = { type: 'serving' } | { type: 'figures'; figures: Figures };

/** The serving processes, which share one port. */
export type Workers = {
  /**
   * Makes the workers serve; from then on, one that ends is replaced.
   * @throws {StartError} when a worker ends before it serves; the worker has printed the reason
   */
  serve(env: ServingEnv): Promise<void>;
  /**
   * What each worker measured: now, or when it last answered if it does not answer in time. A worker that has not
   * reported yet is left out.
   */
  figures(): Promise<Figures[]>;
  /** Lets the workers finish their requests, and waits until all have ended. */
  stop(): Promise<void>;
};

/** Delay before a worker that ended is replaced; it doubles each time, up to the longest, while workers end early. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived longer did not end early. */
const STEADY_MS = 60_000;

/** How long a worker may take to report its figures. A collector of metrics usually gives up after ten seconds. */
const FIGURES_MS = 2_500;

/** Listens to what workers report. @returns collects their figures, as `Workers` says */
function openFigures(): Workers['figures'] {
  /** The last figures of each worker that serves; null before its first. */
  const last = new Map<Worker, Figures | null>();
  /** Workers that were asked for figures: a silent one is not asked again, so that no questions pile up. */
  const asked = new Map<Worker, PromiseWithResolvers<void>>();
  const settle = (worker: Worker) => {
    asked.get(worker)?.resolve();
    asked.delete(worker);
  };
  cluster.on('message', (worker, message: FromWorker) => {
    last.set(worker, message.type === 'figures' ? message.figures : null);
    settle(worker);
  });
  cluster.on('exit', (worker) => {
    last.delete(worker);
    settle(worker);
  });
  return async () => {
    const answers = [...last.keys()].map((worker) => {
      const open = asked.get(worker) ?? Promise.withResolvers<void>();
      if (!asked.has(worker)) tell(worker, { type: 'measure' });
      asked.set(worker, open);
      return answerWithin(FIGURES_MS, open.promise, undefined);
    });
    await Promise.all(answers);
    return [...last.values()].filter((figures) => figures !== null);
  };
}

/**
 * Starts `count` workers, which load the application and wait. They end with this process, however it ends.
 *
 * @param ended once it resolves, workers are no longer replaced
 */
export function startWorkers(count: number, ended: Promise<void>): Workers {
  cluster.setupPrimary({
    exec: join(import.meta.dirname, `worker${extname(import.meta.filename)}`),
    args: [],
  });
  const first = Array.from({ length: count }, () => cluster.fork());
  const pauses = new Set<NodeJS.Timeout>();
  let stopping = false;
  void ended.then(() => {
    stopping = true;
    for (const timer of pauses) clearTimeout(timer);
  });

  /** Replaces `worker` when it ends. */
  function keep(worker: Worker, env: ServingEnv, pause = SHORTEST_PAUSE_MS): void {
    const start = performance.now();
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      const steady = performance.now() - start > STEADY_MS;
      const wait = steady ? SHORTEST_PAUSE_MS : pause;
      console.error(`A worker ended (${signal ?? `code ${code}`}): replacing it in ${wait} ms`);
      const timer = setTimeout(() => {
        pauses.delete(timer);
        const next = cluster.fork();
        tell(next, { type: 'serve', env, first: false });
        keep(next, env, Math.min(wait * 2, LONGEST_PAUSE_MS));
      }, wait);
      pauses.add(timer);
    });
  }

  return {
    async serve(env) {
      const begin = async (worker: Worker) => {
        tell(worker, { type: 'serve', env, first: worker === first[0] });
        await serving(worker);
        keep(worker, env);
      };
      // The first closes the demo accounts: until it has, none of the others may let anybody in.
      for (const together of [first.slice(0, 1), first.slice(1)]) await Promise.all(together.map(begin));
    },
    figures: openFigures(),
    async stop() {
      await Promise.all(
        Object.values(cluster.workers ?? {}).map(async (worker) => {
          if (!worker || worker.isDead()) return;
          const gone = once(worker, 'exit');
          tell(worker, { type: 'stop' });
          await gone;
        }),
      );
    },
  };
}

/** Sends nothing to a worker that is ending. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

async function serving(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = () => reject(new StartError('a worker ended before it was ready'));
  if (worker.isDead()) failed();
  worker.once('exit', failed);
  worker.on('message', ({ type }: FromWorker) => type === 'serving' && resolve());
  await promise;
  worker.off('exit', failed);
}
