import { expect } from 'vitest';
import { test } from '#server/testing/test.ts';

test('when two administrators demote each other at the same time, one remains administrator', async ({
  server,
}) => {
  const users = [await server.make.user({ role: 'admin' }), await server.make.user({ role: 'admin' })];
  const [one, other] = await Promise.all(users.map((user) => server.as(user)));
  const [first, second] = users;
  const statuses = await Promise.all([
    one?.api.users[':id'].$patch({ param: { id: second?.id ?? '' }, json: { role: 'user' } }),
    other?.api.users[':id'].$patch({ param: { id: first?.id ?? '' }, json: { role: 'user' } }),
  ]);
  expect(statuses.map((answer) => answer?.status).sort()).toEqual([200, 409]);
});

test('the last administrator cannot delete their account', async ({ server }) => {
  const [last] = await Promise.all([server.make.user({ role: 'admin' })]);
  const page = await (await (await server.as(last)).api.users.$get({ query: { role: 'admin' } })).json();
  for (const { id, manageable } of page.items) {
    if (manageable) await (await server.as(last)).api.users[':id'].$delete({ param: { id } });
  }
  const answer = await (await server.as(last)).api.me.$delete({ json: { password: last.password } });
  expect(await answer.json()).toMatchObject({ error: { code: 'last_admin' } });
});
