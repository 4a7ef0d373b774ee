/**
 * Sends requests to a server, as many as it answers or at a given rate. A separate process, started by bench/load-programs.ts,
 * whose other work (reading a dataset, running an application to record) would delay the requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';

export type Request = {
  method?: 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: Buffer<ArrayBuffer> | string;
};

/** A number of requests over some connections, or as many as are answered in some seconds, at least two per connection. */
export type FullLoad = {
  request: Request;
  /** The requests of each connection, one after the other, if connections differ. */
  each?: Request[][];
  connections: number;
} & ({ amount: number } | { seconds: number });

/** A read sent at a fixed rate, whether or not earlier ones have been answered. */
export type FreeLoad = {
  request: Request;
  connections: number;
  rate: number;
  seconds: number;
  arrivals: Arrivals;
};

/** Random, as from independent callers (a Poisson process), or evenly spaced. */
export type Arrivals = 'random' | 'even';

export type Load = { origin: string } & ({ full: FullLoad } | { free: FreeLoad });

/** The outcome: requests, the seconds they took, how many failed, and how long each answer took in milliseconds. */
export type Answered = { requests: number; seconds: number; failed: number; waits: number[] };

/** The time to the next request, relative to the average time between requests. */
const GAPS: Record<Arrivals, () => number> = { random: () => -Math.log(1 - Math.random()), even: () => 1 };

/** Sends requests back to back. If too few are answered within the seconds, measures a number of requests instead. */
async function fire(origin: string, load: FullLoad): Promise<Answered> {
  const { request, each, connections } = load;
  const waits: number[] = [];
  let connection = 0;
  const options: autocannon.Options = {
    url: `${origin}${request.path}`,
    ...(request.method && { method: request.method }),
    ...(request.headers && { headers: request.headers }),
    ...(request.body && { body: request.body }),
    connections,
    ...('amount' in load ? { amount: load.amount } : { duration: load.seconds }),
    timeout: 60,
    ...(each && {
      setupClient: (client) => {
        const own = each[connection++ % each.length];
        if (own) client.setRequests(own);
      },
    }),
  };
  const begin = performance.now();
  // autocannon's own duration counts samples of one second, too coarse for a short measurement.
  let last = begin;
  const { non2xx, errors } = await new Promise<autocannon.Result>((done, fail) => {
    const instance = autocannon(options, (error, result) => (error ? fail(error) : done(result)));
    instance.on('response', (_client, _status, _bytes, ms) => {
      waits.push(ms);
      last = performance.now();
    });
  });
  if (!('amount' in load) && waits.length < 2 * connections) {
    return fire(origin, { ...load, amount: 2 * connections });
  }
  return { requests: waits.length, seconds: (last - begin) / 1000, failed: non2xx + errors, waits };
}

/**
 * Sends requests at a fixed rate. Not with `autocannon`: it sends each second's share as fast as possible and then rests, so
 * it would measure the latency under full load; and it takes as much processor time as the server it measures.
 */
async function fireFreely(origin: string, load: FreeLoad): Promise<Answered> {
  const { request, connections, rate, seconds, arrivals } = load;
  const { path, headers } = request;
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const waits: number[] = [];
  let failed = 0;
  const send = () => {
    const sent = performance.now();
    return new Promise<void>((done, fail) =>
      pool.dispatch(
        { method: 'GET', path, ...(headers && { headers }) },
        {
          onRequestStart() {},
          onResponseStart(_, status) {
            if (status !== 200) failed += 1;
          },
          onResponseData() {},
          onResponseEnd() {
            waits.push(performance.now() - sent);
            done();
          },
          onResponseError: (_, error) => fail(error),
        },
      ),
    );
  };
  // Opens the connections before the measurement.
  await Promise.all(Array.from({ length: connections * 4 }, send));
  waits.length = 0;
  const answers: Promise<void>[] = [];
  const begin = performance.now();
  for (let due = begin; due < begin + seconds * 1000; due += (GAPS[arrivals]() * 1000) / rate) {
    while (performance.now() < due) await sleep(1);
    answers.push(send());
  }
  await Promise.all(answers);
  await pool.close();
  return { requests: waits.length, seconds: (performance.now() - begin) / 1000, failed, waits };
}

process.on('message', async ({ origin, ...load }: Load) => {
  process.send?.(await ('full' in load ? fire(origin, load.full) : fireFreely(origin, load.free)));
});
process.on('disconnect', () => process.exit());
