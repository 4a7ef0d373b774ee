import { describe, expect } from 'vitest';
import { testWith } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';

const test = testWith({ RATE_LIMITS: 'on' });

/** The headers of a request that a proxy forwards from `address`. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

describe('wrong passwords and codes', () => {
  test('are slowed down and, after ten, blocked for that account and address only', async ({ server }) => {
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
    // Refused attempts do not count towards the hundred that would block the account for everybody.
    // Not all at once, which a busy machine would refuse for another reason.
    for (let round = 0; round < 4; round += 1) {
      const more = await Promise.all(
        Array.from({ length: 22 }, () => attempt(user.email, 'sbagliata', stranger)),
      );
      expect(new Set(more.flat())).toEqual(new Set([429, true]));
    }
    expect(await attempt(user.email, user.password, owner)).toEqual([200, false]);
    expect(await attempt(user.email, user.password, owner)).toEqual([200, false]);
  });

  test('count for the account, by whichever of its names it was tried', async ({ server }) => {
    const user = await server.make.user();
    const { api } = server.anonymous();
    const attempt = async (identifier: string, password = 'sbagliata') =>
      (await api.auth.login.$post({ json: { identifier, password } })).status;
    const { email, username } = user;
    const names = [email, username, email.toUpperCase(), username.toUpperCase()];
    const guesses = Array.from({ length: 10 }, (_, index) => attempt(names[index % 4] ?? ''));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    expect([await attempt(username, user.password), await attempt(email, user.password)]).toEqual([429, 429]);
    const code = await api.auth['code-logins'].$post({ json: { email, code: '000000' } });
    expect(code.status).toBe(429);
  });

  test('count for the codes of an account even where its password was right in between', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const { password } = user;
    const { secret } = await (await api.auth['two-factor'].$post({ json: { password } })).json();
    await api.auth['two-factor'].confirmations.$post({ json: { code: codeOf(secret) } });
    const wrong = Array.from({ length: 12 }, (_, index) => String(index).padStart(6, '7')).filter(
      (code) => code !== codeOf(secret, 1),
    );
    const attempt = async (code: string) =>
      (await api.auth['two-factor']['recovery-codes'].$post({ json: { password, code } })).status;
    for (const codes of [wrong.slice(0, 5), wrong.slice(5, 10)]) {
      expect(new Set(await Promise.all(codes.map(attempt)))).toEqual(new Set([422]));
      expect((await api.auth.reauthentications.$post({ json: { password } })).status).toBe(204);
    }
    expect(await attempt(wrong[10] ?? '')).toBe(429);
  });

  test.for(['nessuno', 'nessuno@example.com'])(
    'are blocked for %s as for an existing account',
    async (identifier, { server }) => {
      const attempt = async () => {
        const json = { identifier, password: 'sbagliata' };
        return (await server.anonymous().api.auth.login.$post({ json })).status;
      };
      const guesses = await Promise.all(Array.from({ length: 10 }, attempt));
      expect(new Set(guesses)).toEqual(new Set([401]));
      expect(await attempt()).toBe(429);
    },
  );

  test('are blocked after a hundred from many addresses', async ({ server }) => {
    const { email } = await server.make.user();
    const attempt = async (address: string) => {
      const json = { email, code: '000000' };
      return (await server.anonymous().api.auth['code-logins'].$post({ json }, from(address))).status;
    };
    // A hundred at once would be refused by a busy machine, whose connections are in use for too long.
    for (let round = 0; round < 5; round += 1) {
      const guesses = Array.from({ length: 20 }, (_, index) => attempt(`192.0.2.${index}`));
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([422]));
    }
    expect(await attempt('198.51.100.4')).toBe(429);
  });

  test('from the same IPv6 /64 network count together', async ({ server }) => {
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

  test('are forgotten after a successful login', async ({ server }) => {
    const user = await server.make.user();
    const attempt = async (password: string) =>
      (await server.anonymous().api.auth.login.$post({ json: { identifier: user.username, password } }))
        .status;
    // Eleven in all: if the first six still counted, the last would be one too many.
    for (const guesses of [5, 4]) {
      await Promise.all(Array.from({ length: guesses }, () => attempt('sbagliata')));
      expect(await attempt(user.password)).toBe(200);
    }
  });
});

describe('mail to one address', () => {
  test('is limited to five messages an hour', async ({ server }) => {
    const { email } = await server.make.user();
    const statuses = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await server.anonymous().api.auth.recoveries.$post({ json: { email } })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  test('counts the reset links that an administrator sends', async ({ server }) => {
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    const { id } = await server.make.user();
    const statuses = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await admin.api.users[':id'].recoveries.$post({ param: { id } })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  test('counts registrations, even when the account is deleted in between', async ({ server }) => {
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
