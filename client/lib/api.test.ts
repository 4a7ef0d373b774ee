import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, allowReads, answer, api, failingAs, refuseReads } from './api.ts';

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

test('an account that leaves gives up its reads, but not its writes, and sends none until the next one is allowed to', async () => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_: unknown, { method, signal }: RequestInit = {}) => {
    signal?.throwIfAborted();
    sent.push(method);
    await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      if (method === 'POST') setImmediate(resolve);
    });
    return new Response(null, { status: 204 });
  });
  const read = ask();
  const write = answer(api.auth.logout.$post({ query: {} }));
  refuseReads();
  await expect(read).rejects.toMatchObject({ name: 'AbortError' });
  await expect(write).resolves.toBeUndefined();
  await expect(ask()).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toEqual(['GET', 'POST']);
  allowReads();
  void ask();
  expect(sent).toEqual(['GET', 'POST', 'GET']);
});
