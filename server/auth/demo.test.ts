import { describe, expect } from 'vitest';
import { demoAccounts } from '#server/demo/accounts.ts';
import { test } from '#server/testing/test.ts';
import { ensureDemoAccounts } from './demo.ts';

describe('the demo accounts', () => {
  test('can all log in, by username', async ({ server }) => {
    await Promise.all([ensureDemoAccounts(server.services), ensureDemoAccounts(server.services)]);
    const roles = await Promise.all(
      demoAccounts(server.services.env.invoiceAdminEmail).map(async ({ username, password }) => {
        const visitor = server.anonymous();
        await visitor.api.auth.login.$post({ json: { identifier: username, password } });
        const { permissions } = await (await visitor.api.me.$get()).json();
        return [username, permissions.manageUsers, permissions.manageAllInvoices];
      }),
    );
    expect(roles).toEqual([
      ['demo', false, false],
      ['admin', true, false],
      ['fatture', false, true],
    ]);
  });

  test('are found when they exist, and left as they are', async ({ server }) => {
    const visitor = server.anonymous();
    await visitor.api.auth.login.$post({ json: { identifier: 'demo', password: 'demo-trasvia' } });
    await visitor.api.auth.password.$put({
      json: { currentPassword: 'demo-trasvia', password: 'un-altra-password' },
    });
    await ensureDemoAccounts(server.services);
    const again = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: 'demo', password: 'un-altra-password' } });
    expect(again.status).toBe(200);
  });
});
