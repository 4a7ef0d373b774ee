import { describe, expect, vi } from 'vitest';
import { test } from '#server/testing/test.ts';

describe('a failed login', () => {
  test('hashes one password whether or not the account exists, so that its time does not reveal that', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { password } = await server.services.auth.$context;
    // Both derive one key, the slow part of a login.
    const derivations = [vi.spyOn(password, 'hash'), vi.spyOn(password, 'verify')];
    const hashes = () => derivations.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const [index, identifier] of [user.email, 'nessuno@example.com', 'nessuno-di-noto'].entries()) {
      const { status } = await server.anonymous().api.auth.login.$post({
        json: { identifier, password: 'sbagliata', remember: false },
      });
      expect([status, hashes()]).toEqual([401, index + 1]);
    }
  });

  test('with a code looks for one whether or not the account exists, so that its time does not reveal that', async ({
    server,
  }) => {
    const user = await server.make.user();
    const verify = vi.spyOn(server.services.auth.api, 'verifyEmailOTP');
    for (const [index, email] of [user.email, 'nessuno@example.com'].entries()) {
      const json = { email, code: '000000', remember: false };
      const { status } = await server.anonymous().api.auth['code-logins'].$post({ json });
      expect([status, verify.mock.calls.length]).toEqual([422, index + 1]);
    }
  });
});
