import { expect } from 'vitest';
import { test } from '#server/testing/test.ts';
import { giveRole, makeAccount } from './operator.ts';

test('each account change by the operator is recorded once as a security event', async ({ server }) => {
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

test('the address of the invoice administrator has its permissions once the operator gives it a role', async ({
  server,
}) => {
  const { services } = server;
  const earlier = await server.make.user({ email: services.env.invoiceAdminEmail, emailVerified: false });
  const permissions = async () => {
    const visitor = server.anonymous();
    await visitor.api.auth.login.$post({ json: { identifier: earlier.email, password: earlier.password } });
    return (await (await visitor.api.me.$get()).json()).permissions;
  };
  expect(await permissions()).toMatchObject({
    manageAllInvoices: false,
    manageUsers: false,
    customerArea: true,
  });
  await giveRole(services, earlier.id, 'admin');
  expect(await permissions()).toMatchObject({
    manageAllInvoices: true,
    manageUsers: false,
    customerArea: false,
  });
  const { rows } = await server.make.sql('select email_verified from profiles where id = $1', [earlier.id]);
  expect(rows).toEqual([{ email_verified: true }]);
});
