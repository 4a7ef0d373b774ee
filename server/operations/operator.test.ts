import { expect } from 'vitest';
import { createAccount } from '#server/features/accounts/commands.ts';
import { test } from '#server/testing/test.ts';
import { makeAccount, resetAccount } from './operator.ts';

test('each account change by the operator is recorded once as a security event', async ({ server }) => {
  const { services } = server;
  const account = {
    email: 'operatore@example.com',
    password: 'segreta',
    fullName: 'Olga',
    companyName: null,
  };
  const id = await makeAccount(services, account, 'user');
  for (const role of ['admin', 'admin', undefined, 'user'] as const)
    await resetAccount(services, { id, emailVerified: true }, account.password, {
      role,
      dropTwoFactor: false,
    });
  const { rows } = await server.make.sql(
    'select action, actor_id, ip_address, detail from audit_events where subject_id = $1 order by id',
    [id],
  );
  const event = { actor_id: null, ip_address: null };
  const reset = { ...event, action: 'password_reset', detail: { by: 'operator', dropTwoFactor: false } };
  expect(rows).toEqual([
    { ...event, action: 'user_created', detail: { by: 'operator', role: 'user' } },
    reset,
    { ...event, action: 'role_changed', detail: { by: 'operator', from: 'user', to: 'admin' } },
    reset,
    reset,
    reset,
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
  await resetAccount(services, { id: earlier.id, emailVerified: false }, earlier.password, {
    role: 'admin',
    dropTwoFactor: false,
  });
  expect(await permissions()).toMatchObject({
    manageAllInvoices: true,
    manageUsers: false,
    customerArea: false,
  });
  const { rows } = await server.make.sql('select email_verified from profiles where id = $1', [earlier.id]);
  expect(rows).toEqual([{ email_verified: true }]);
});

test('a creation that was interrupted is completed by a reset: the address is confirmed', async ({
  server,
}) => {
  const { services } = server;
  const account = {
    email: 'interrotto@example.com',
    password: 'prima-volta',
    fullName: 'Irma',
    companyName: null,
  };
  const id = await createAccount(services, account);
  // Somebody who knew the first password may have set up a second factor meanwhile.
  await server.make.sql('update profiles set two_factor_enabled = true where id = $1', [id]);
  await resetAccount(services, { id, emailVerified: false }, 'seconda-volta', {
    role: undefined,
    dropTwoFactor: false,
  });
  const visitor = server.anonymous();
  await visitor.api.auth.login.$post({ json: { identifier: account.email, password: 'seconda-volta' } });
  expect(await (await visitor.api.me.$get()).json()).toMatchObject({ role: 'user', emailVerified: true });
  const { rows } = await server.make.sql(
    "select detail from audit_events where subject_id = $1 and action = 'email_verified'",
    [id],
  );
  expect(rows).toEqual([{ detail: { by: 'operator' } }]);
});
