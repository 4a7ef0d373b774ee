import { describe, expect } from 'vitest';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

describe('guesses at a password', () => {
  test('are slowed down and, after ten, stopped for one account, whoever makes them, and not for others', async ({
    server,
  }) => {
    const user = await server.make.user();
    const attempt = async (identifier: string, password: string) => {
      const answer = await server.anonymous().api.auth.login.$post({ json: { identifier, password } });
      return [answer.status, answer.headers.has('Retry-After')];
    };
    const start = performance.now();
    const guesses = await Promise.all(Array.from({ length: 10 }, () => attempt(user.email, 'sbagliata')));
    expect(guesses).toEqual(Array(10).fill([401, false]));
    expect(performance.now() - start).toBeGreaterThan(1900);
    expect(await attempt(user.email, user.password)).toEqual([429, true]);
    const other = await server.make.user();
    expect(await attempt(other.email, other.password)).toEqual([200, false]);
  });

  test('are forgotten by a login that succeeds', async ({ server }) => {
    const user = await server.make.user();
    const attempt = async (password: string) =>
      (await server.anonymous().api.auth.login.$post({ json: { identifier: user.username, password } }))
        .status;
    // Eleven in all: were the first six not forgotten, the last would be one too many.
    for (const guesses of [5, 4]) {
      await Promise.all(Array.from({ length: guesses }, () => attempt('sbagliata')));
      expect(await attempt(user.password)).toBe(200);
    }
  });
});

describe('mail to one address', () => {
  test('is asked for five times an hour at most', async ({ server }) => {
    const { email } = await server.make.user();
    const statuses = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await server.anonymous().api.auth.recoveries.$post({ json: { email } })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});
