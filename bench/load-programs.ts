import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer } from './floor.ts';
import type { Answered, FreeLoad, FullLoad, Load } from './generator.ts';
import { processorTimeOf, stolenTime } from './process-figures.ts';

/** Requests per second, median and 99th percentile in ms, processor time per request in ms, failed requests. */
export type Measured = { rate: number; p50: number; p99: number; processor: number; failed: number };

export type Quantiles = Pick<Measured, 'p50' | 'p99'>;
type Waited = Quantiles & { busy: number; stolen: number };

function quantilesOf(waits: number[]): Quantiles {
  const sorted = waits.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

/** Starts the program that the application is compared with (bench/floor.ts). */
export async function startFloor() {
  const child = fork(join(import.meta.dirname, 'floor.ts'));
  const [port] = await once(child, 'message');
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async answerWith(answer: Answer) {
      child.send(answer);
      await once(child, 'message');
    },
    stop: () => child.kill(),
  };
}
export type Floor = Awaited<ReturnType<typeof startFloor>>;

/** Starts the program that sends the requests (bench/generator.ts). */
export function startGenerator() {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced' });
  const answered = async (load: Load): Promise<Answered> => {
    const settled = new AbortController();
    const message = once(child, 'message', settled);
    const end = once(child, 'exit', settled).then(() => Promise.reject(new Error('the generator ended')));
    child.send(load);
    const [answer] = await Promise.race([message, end]).finally(() => settled.abort());
    return answer;
  };
  return {
    /**
     * Sends requests back to back.
     * @param pids processes whose processor time is counted, including their children
     */
    async fire(origin: string, full: FullLoad, pids: (number | undefined)[] = []): Promise<Measured> {
      const before = await processorTimeOf(...pids);
      const { requests, seconds, failed, waits } = await answered({ origin, full });
      const processor = ((await processorTimeOf(...pids)) - before) / requests;
      return { rate: requests / seconds, processor, failed, ...quantilesOf(waits) };
    },
    /**
     * Sends requests at a rate.
     * @returns median, 99th percentile and the time taken by the hypervisor, in milliseconds, and the share of the time that
     * the process `pid` was busy
     */
    async fireFreely(origin: string, free: FreeLoad, pid: number | undefined): Promise<Waited> {
      const stolen = await stolenTime();
      const worked = await processorTimeOf(pid);
      const begin = performance.now();
      const { failed, waits } = await answered({ origin, free });
      if (failed > 0) throw new Error(`${free.request.path} was refused ${failed} times`);
      const busy = ((await processorTimeOf(pid)) - worked) / (performance.now() - begin);
      return { ...quantilesOf(waits), busy, stolen: (await stolenTime()) - stolen };
    },
    stop: () => child.kill(),
  };
}
export type Generator = ReturnType<typeof startGenerator>;
