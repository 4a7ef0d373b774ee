import { expect } from 'vitest';
import { errorOf } from '#server/testing/client.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { test } from '#server/testing/test.ts';

test('when two administrators demote each other at the same time, one remains administrator', async ({
  server,
}) => {
  await server.make.sql("update profiles set banned = true where role = 'admin'");
  const users = [await server.make.user({ role: 'admin' }), await server.make.user({ role: 'admin' })];
  const [one, other] = await Promise.all(users.map((user) => server.as(user)));
  const [first, second] = users;
  const statuses = await Promise.all([
    one?.api.users[':id'].$patch({ param: { id: second?.id ?? '' }, json: { role: 'user' } }),
    other?.api.users[':id'].$patch({ param: { id: first?.id ?? '' }, json: { role: 'user' } }),
  ]);
  expect(statuses.map((answer) => answer?.status).sort()).toEqual([200, 409]);
});

test('accounts are locked in one order, so that two changes do not wait for each other', async ({
  server,
}) => {
  const users = [await server.make.user(), await server.make.user()];
  const [first, admin] = users.sort((one, other) => (one.id < other.id ? -1 : 1));
  if (!first || !admin) throw new Error('Two accounts were made');
  await server.make.sql("update profiles set role = 'admin' where id = $1", [admin.id]);
  const { users: accounts } = (await server.as(admin)).api;
  const lock = 'select from profiles where id = $1 for update';
  const status = await duringTransaction(server, [lock, [first.id]], 2, async () => {
    const suspended = accounts[':id'].$patch({ param: { id: first.id }, json: { suspended: true } });
    await waitForLocks(server, 1);
    // Nobody has the second who still waits for the first.
    await server.make.sql(`${lock} nowait`, [admin.id]);
    await server.make.sql(lock, [first.id]);
    return (await suspended).status;
  });
  expect(status).toBe(200);
});

test('the last administrator cannot delete their account, whoever else is suspended or manages invoices', async ({
  server,
}) => {
  const last = await server.make.user({ role: 'admin' });
  const visitor = await server.as(last);
  const page = await (await visitor.api.users.$get({ query: { role: 'admin' } })).json();
  for (const { id, manageable } of page.items) {
    if (manageable) await visitor.api.users[':id'].$delete({ param: { id } });
  }
  await server.make.user({ role: 'admin', banned: true });
  await server.make.invoiceAdmin();
  const answer = await visitor.api.me.$delete({ json: { password: last.password } });
  expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'last_admin' });
});
