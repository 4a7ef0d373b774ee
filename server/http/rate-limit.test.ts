import { Hono } from 'hono';
import { describe, expect, test as unit } from 'vitest';
import { tooManyRequestsText } from '#contract/errors.ts';
import { testWith } from '#server/testing/test.ts';
import type { AppEnv } from './env.ts';
import { callerAddress, callerLine, slowDownMs } from './rate-limit.ts';

const test = testWith({ RATE_LIMITS: 'on' });

/** Whether `wait` is what is left of a limit of `seconds` of which none was gone at `start`, whatever the answers took. */
function expectRest(wait: number, seconds: number, start: number): void {
  const gone = (performance.now() - start) / 1000;
  expect(wait).toBeGreaterThanOrEqual(Math.floor(seconds - gone));
  expect(wait).toBeLessThanOrEqual(seconds);
}

describe('the rate limit', () => {
  test('accepts ten contact requests, then says when to try again', async ({ server }) => {
    const send = (from: string) =>
      server.anonymous().request('/api/contact-requests', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify({ nome: 'Ada', cognome: 'Neri', telefono: '1', website: 'x' }),
      });
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 11 }, () => send('203.0.113.7')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(refused).toHaveLength(1);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expectRest(wait, 600, start);
    expect(await refused[0]?.json()).toMatchObject({ error: { message: tooManyRequestsText(wait) } });
    expect((await send('203.0.113.8')).status).toBe(201);
  });

  test('can be queried without counting as an attempt', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const asked = async () => (await visitor.request('/api/me/data/availability')).status;
    const start = performance.now();
    for (let download = 0; download < 10; download += 1) {
      expect(await asked()).toBe(204);
      await (await visitor.request('/api/me/data')).arrayBuffer();
    }
    const refused = await visitor.request('/api/me/data/availability');
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expectRest(wait, 3600, start);
    expect(await refused.json()).toMatchObject({ error: { message: tooManyRequestsText(wait) } });
  });

  unit.for([
    [1, 'un minuto'],
    [60, 'un minuto'],
    [61, '2 minuti'],
    [3540, '59 minuti'],
    [3541, 'un’ora'],
    [3600, 'un’ora'],
  ] as const)('announces a wait of %i seconds as %s', ([seconds, words]) => {
    expect(tooManyRequestsText(seconds)).toBe(`Troppi tentativi. Riprova tra ${words}.`);
  });

  unit('delays attempts before refusing them, doubling the delay up to two seconds', () => {
    const waits = [1, 3, 4, 5, 6, 7, 8, 9, 100].map((count) => slowDownMs(count, 3));
    expect(waits).toEqual([0, 0, 125, 250, 500, 1000, 2000, 2000, 2000]);
  });

  test('stores addresses and e-mails only as hashes', async ({ server }) => {
    await server.anonymous().send('POST', '/api/auth/recoveries', { email: 'nessuno@example.com' });
    const { rows } = await server.services.pool.query<{ key: string }>('select key from rate_limits');
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).toMatch(/^:?[\w-]{43}$/);
  });
});

describe('the address of a caller', () => {
  const ask = async (peer: string, forwarded?: string, read = callerAddress) => {
    const app = new Hono<AppEnv>().get('/', (c) => c.text(read(c)));
    const headers: Record<string, string> = forwarded ? { 'X-Forwarded-For': forwarded } : {};
    const answer = await app.request('/', { headers }, { incoming: { socket: { remoteAddress: peer } } });
    return answer.text();
  };

  unit.for([
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.2', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.2', '6.6.6.6, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
    ['::1', '2001:db8::1', '2001:db8::1'],
    ['10.0.0.2', '6.6.6.6:1, 198.51.100.1:4711, 10.0.0.3:443', '198.51.100.1'],
    ['10.0.0.2', '[2001:db8::1]:4711', '2001:db8::1'],
    ['10.0.0.2', '[2001:db8::1]', '2001:db8::1'],
    ['fd00::2', '198.51.100.1', '198.51.100.1'],
    // The first and last addresses of the networks that a proxy may be in, and their neighbours.
    ['172.16.0.0', '198.51.100.1', '198.51.100.1'],
    ['172.31.255.255', '198.51.100.1', '198.51.100.1'],
    ['192.168.255.255', '198.51.100.1', '198.51.100.1'],
    ['fc00::2', '198.51.100.1', '198.51.100.1'],
    ['9.255.255.255', '198.51.100.1', '9.255.255.255'],
    ['11.0.0.0', '198.51.100.1', '11.0.0.0'],
    ['172.15.255.255', '198.51.100.1', '172.15.255.255'],
    ['172.32.0.0', '198.51.100.1', '172.32.0.0'],
    ['192.169.0.0', '198.51.100.1', '192.169.0.0'],
    ['fe80::1', '198.51.100.1', 'fe80::1'],
    ['::ffff:127.0.0.1', 'not an address', 'not an address'],
    ['127.0.0.1', undefined, '127.0.0.1'],
  ] as const)('from %s, forwarded for %s, is %s', async ([peer, forwarded, address]) => {
    expect(await ask(peer, forwarded)).toBe(address);
  });

  unit.for([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
    ['2001:db8:0:7::1', '2001:db8:0:7'],
    ['2001:db8::7:1', '2001:db8:0:0'],
    ['2001::3:4:5:6:7', '2001:0:0:3'],
  ] as const)('%s counts as %s', async ([peer, line]) => {
    expect(await ask(peer, undefined, callerLine)).toBe(line);
  });
});
