import { describe, expect } from 'vitest';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

/** Behind a proxy: what a caller from `address` sends. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

describe('guesses at a password', () => {
  test('are slowed down and, after ten, stopped for one account and address, and for no other', async ({
    server,
  }) => {
    const user = await server.make.user();
    const attempt = async (identifier: string, password: string, address: string) => {
      const json = { identifier, password };
      const answer = await server.anonymous().api.auth.login.$post({ json }, from(address));
      return [answer.status, answer.headers.has('Retry-After')];
    };
    const [stranger, owner] = ['203.0.113.7', '198.51.100.4'];
    const start = performance.now();
    const guesses = await Promise.all(
      Array.from({ length: 10 }, () => attempt(user.email, 'sbagliata', stranger)),
    );
    expect(guesses).toEqual(Array(10).fill([401, false]));
    expect(performance.now() - start).toBeGreaterThan(1900);
    expect(await attempt(user.email, user.password, stranger)).toEqual([429, true]);
    const other = await server.make.user();
    expect(await attempt(other.email, other.password, stranger)).toEqual([200, false]);
    // However long the stranger goes on: what is refused adds nothing to the hundred that would stop all.
    const more = await Promise.all(
      Array.from({ length: 88 }, () => attempt(user.email, 'sbagliata', stranger)),
    );
    expect(new Set(more.flat())).toEqual(new Set([429, true]));
    expect(await attempt(user.email, user.password, owner)).toEqual([200, false]);
    expect(await attempt(user.email, user.password, owner)).toEqual([200, false]);
  });

  test('are stopped after a hundred from many addresses at once', async ({ server }) => {
    const { email } = await server.make.user();
    const attempt = async (address: string) => {
      const json = { email, code: '000000' };
      return (await server.anonymous().api.auth['code-logins'].$post({ json }, from(address))).status;
    };
    const guesses = Array.from({ length: 100 }, (_, index) => attempt(`192.0.2.${index % 50}`));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([422]));
    expect(await attempt('198.51.100.4')).toBe(429);
  });

  test('from one half of the IPv6 addresses count together, however they end', async ({ server }) => {
    const { email } = await server.make.user();
    const attempt = async (address: string) => {
      const json = { email, code: '000000' };
      return (await server.anonymous().api.auth['code-logins'].$post({ json }, from(address))).status;
    };
    const guesses = ['2001:db8:0:7::1', '2001:db8::7:1:2:3:4', '2001:db8:0:7:a::'].flatMap((address) =>
      [1, 2, 3].map(() => attempt(address)),
    );
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([422]));
    expect([await attempt('2001:db8:0:7::9'), await attempt('2001:db8:0:7::10')]).toEqual([422, 429]);
    expect([await attempt('2001:db8:0:8::1'), await attempt('2001:db8::1')]).toEqual([422, 422]);
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

  test('counts that of a registration, however often the account is deleted in between', async ({
    server,
  }) => {
    const account = {
      email: 'vittima@example.com',
      password: 'segreta',
      fullName: 'Vera',
      companyName: null,
    };
    const { api } = server.anonymous();
    const statuses = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await api.auth.registrations.$post({ header: {}, json: account })).status);
      await api.auth.login.$post({ json: { identifier: account.email, password: account.password } });
      await api.me.$delete({ json: { password: account.password } });
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});
