import { describe, expect, vi } from 'vitest';
import { test } from '#server/testing/test.ts';

describe('the work of a login', () => {
  test('is one hash of a password for accounts that exist and for those that do not, so that its time tells nobody', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { password } = await server.services.auth.$context;
    // Both derive one key, which is what a login takes its time for.
    const derivations = [vi.spyOn(password, 'hash'), vi.spyOn(password, 'verify')];
    const hashes = () => derivations.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const [index, identifier] of [user.email, 'nessuno@example.com', 'nessuno-di-noto'].entries()) {
      const { status } = await server.anonymous().api.auth.login.$post({
        json: { identifier, password: 'sbagliata', remember: false },
      });
      expect([status, hashes()]).toEqual([401, index + 1]);
    }
  });
});
