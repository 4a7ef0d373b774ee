import { expect } from 'vitest';
import { setPassword } from '#server/features/accounts/commands.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { test } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';
import { makeRecoveryToken } from './links.ts';

test('whatever changes several rows of an account locks its profile before any other, so that no two wait for each other', async ({
  server,
}) => {
  const user = await server.make.user();
  const { id, email: identifier } = user;
  const { password } = user;
  const owner = await server.as(user);
  await server.as(user);
  /** The status of `work`, which holds nothing of the account while it waits for its profile. */
  const lock = 'select from profiles where id = $1 for no key update';
  const waiting = (work: () => Promise<{ status: number }>) =>
    duringTransaction(server, [lock, [id]], 2, async () => {
      const answer = work();
      await waitForLocks(server, 1);
      for (const rows of ['accounts', 'two_factors', 'sessions'])
        await server.make.sql(`select from ${rows} where user_id = $1 for update nowait`, [id]);
      await server.make.sql('select from verifications where value = $1 for update nowait', [id]);
      await server.make.sql(lock, [id]);
      return (await answer).status;
    });
  const { auth } = owner.api;
  const factor = auth['two-factor'];

  expect(await waiting(() => factor.$post({ json: { password } }))).toBe(201);
  const { secret, recoveryCodes } = await (await factor.$post({ json: { password } })).json();
  expect(await waiting(() => factor.confirmations.$post({ json: { code: codeOf(secret) } }))).toBe(204);
  const { api } = server.anonymous();
  expect((await api.auth.login.$post({ json: { identifier, password } })).status).toBe(200);
  const { challenges } = api.auth['two-factor'];
  expect(await waiting(() => challenges.$post({ json: { code: codeOf(secret, 1) } }))).toBe(204);
  const [code = ''] = recoveryCodes;
  expect(await waiting(() => factor.$delete({ json: { password, code } }))).toBe(204);
  expect(await waiting(() => auth.logout.$post({ query: { scope: 'others' } }))).toBe(204);
  const change = { currentPassword: password, password: 'cambiata1' };
  expect(await waiting(() => auth.password.$put({ json: change }))).toBe(204);
  const token = await makeRecoveryToken(server.services.auth, id);
  const json = { token, password: 'nuova1' };
  expect(await waiting(() => api.auth['password-resets'].$post({ json }))).toBe(204);
  const byOperator = async () => {
    await setPassword(server.services, id, 'operatore1', { dropTwoFactor: true });
    return { status: 200 };
  };
  expect(await waiting(byOperator)).toBe(200);
});
