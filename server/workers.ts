import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { ServingEnv } from '#server/env.ts';
import { StartError } from '#server/start-error.ts';

/** What a worker is told; `first` is told to one of them. */
export type ToWorker = { type: 'serve'; env: ServingEnv; first: boolean } | { type: 'stop' };
/** What a worker tells: that it listens. */
export type FromWorker = { type: 'serving' };

/** The processes that serve, on one port. */
export type Workers = {
  /**
   * Has them serve; one that ends from then on is replaced.
   * @throws {StartError} when one of them ends instead; it has said why
   */
  serve(env: ServingEnv): Promise<void>;
  /** Has them finish what they have, and waits until all are gone. */
  stop(): Promise<void>;
};

/** How long the place of a worker stays empty that ended at once: twice as long each time, up to the longest. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived longer did not end at once. */
const STEADY_MS = 60_000;

/**
 * Starts `count` workers, which load the application and wait. They end with this process, however it ends.
 *
 * @param ended once it resolves, none is replaced any more
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

  /** Keeps the place of `worker` filled. */
  function keep(worker: Worker, env: ServingEnv, pause = SHORTEST_PAUSE_MS): void {
    const start = performance.now();
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      const steady = performance.now() - start > STEADY_MS;
      const wait = steady ? SHORTEST_PAUSE_MS : pause;
      console.error(`A worker ended (${signal ?? `code ${code}`}): another takes its place in ${wait} ms`);
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
      await Promise.all(
        first.map(async (worker, place) => {
          tell(worker, { type: 'serve', env, first: place === 0 });
          await serving(worker);
          keep(worker, env);
        }),
      );
    },
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

/** Says nothing to a worker that is just ending. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

async function serving(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = () => reject(new StartError('a worker ended before it served'));
  if (worker.isDead()) failed();
  worker.once('exit', failed);
  worker.on('message', ({ type }: FromWorker) => type === 'serving' && resolve());
  await promise;
  worker.off('exit', failed);
}
