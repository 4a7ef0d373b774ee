import { expect } from 'vitest';
import { test } from '#server/testing/test.ts';
import { giveRole, makeAccount } from './operator.ts';

test('what the operator does to accounts leaves security events, once each', async ({ server }) => {
  const { services } = server;
  const account = {
    email: 'operatore@example.com',
    password: 'segreta',
    fullName: 'Olga',
    companyName: null,
  };
  const id = await makeAccount(services, account, 'user');
  for (const role of ['admin', 'admin', 'user'] as const) await giveRole(services, id, role);
  const { rows } = await server.make.sql(
    'select action, actor_id, ip_address, detail from audit_events where subject_id = $1 order by id',
    [id],
  );
  const event = { actor_id: null, ip_address: null };
  expect(rows).toEqual([
    { ...event, action: 'user_created', detail: { by: 'operator', role: 'user' } },
    { ...event, action: 'role_changed', detail: { by: 'operator', from: 'user', to: 'admin' } },
    { ...event, action: 'role_changed', detail: { by: 'operator', from: 'admin', to: 'user' } },
  ]);
  const visitor = server.anonymous();
  await visitor.api.auth.login.$post({ json: { identifier: account.email, password: account.password } });
  expect(await (await visitor.api.me.$get()).json()).toMatchObject({ role: 'user', emailVerified: true });
});
