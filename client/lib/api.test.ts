import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, abandonReads, answer, api, failingAs } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server that answers with these statuses, one after the other. @returns when it was called, in ms */
function answering(...statuses: number[]): number[] {
  const calls: number[] = [];
  vi.stubGlobal('fetch', async () => {
    calls.push(performance.now());
    return Response.json({ me: null }, { status: statuses[calls.length - 1] ?? 200 });
  });
  return calls;
}

const ask = () => answer(api.auth.session.$get());

test('a server on its way up is asked again, after 200 ms and then twice as long each time (spec §9)', async () => {
  const calls = answering(503, 502, 504, 200);
  expect(await ask()).toEqual({ me: null });
  const waits = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
  expect(waits).toHaveLength(3);
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(200 * 2 ** index - 2);
});

test('one that stays away is given up, and every other failure is told at once', async () => {
  answering(503, 503, 503, 503);
  await expect(ask()).rejects.toMatchObject({ status: 503 });
  const calls = answering(500);
  await expect(ask()).rejects.toMatchObject({ status: 500 });
  expect(calls).toHaveLength(1);
});

test('a failure of the server is told in the words of the specification, a refusal in its own', async () => {
  const failed = (status: number) =>
    failingAs('parole nostre', Promise.reject(new ApiError({ status, code: 'x', message: 'parole sue' })));
  await expect(failed(500)).rejects.toThrow('parole nostre');
  await expect(failed(422)).rejects.toThrow('parole sue');
  await expect(failed(0)).rejects.toThrow('parole sue');
});

test('an account that leaves gives up its reads under way, but neither its writes nor later reads', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', (_: unknown, init?: RequestInit) => {
    signals.push(init?.signal);
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      if (init?.method === 'POST') setImmediate(() => resolve(new Response(null, { status: 204 })));
    });
  });
  const read = ask();
  const write = answer(api.auth.logout.$post({ query: {} }));
  abandonReads();
  await expect(read).rejects.toMatchObject({ name: 'AbortError' });
  await expect(write).resolves.toBeUndefined();
  void ask();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false, false]);
});
