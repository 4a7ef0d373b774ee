import { expect } from 'vitest';
import { errorOf } from '#server/testing/client.ts';
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
