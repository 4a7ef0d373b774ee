import type { Pool } from 'pg';
import { describe, expect } from 'vitest';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { demoAccounts } from './accounts.ts';
import { closeDemoAccounts, ensureDemoAccounts } from './ensure.ts';

/** Makes the accounts that earlier tests left somebody else's, so that there are no demo accounts. */
async function forgetDemoAccounts({ make }: TestServer): Promise<void> {
  await make.sql(
    `update profiles set username = 'former-' || lower(id), email = lower(id) || '@example.com'
     where username in ('demo', 'admin', 'fatture')`,
  );
}

describe('the demo accounts', () => {
  test('can all log in by username', async ({ server }) => {
    await forgetDemoAccounts(server);
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

  test('are restored by a login after deletion, but only with the demo switched on', async ({ server }) => {
    const demo = { identifier: 'demo', password: 'demo-trasvia' };
    const enter = () => server.anonymous().api.auth.login.$post({ json: demo });
    const visitor = server.anonymous();
    await forgetDemoAccounts(server);
    await ensureDemoAccounts(server.services);
    await visitor.api.auth.login.$post({ json: demo });
    const gone = await visitor.api.me.$delete({ json: { password: demo.password } });
    expect(gone.status).toBe(204);
    server.services.env.demo = false;
    expect((await enter()).status).toBe(401);
    server.services.env.demo = true;
    const login = server.anonymous();
    expect((await login.api.auth.login.$post({ json: demo })).status).toBe(200);
    const projects = await login.api.projects.$get({ query: {} });
    expect((await projects.json()).items).toHaveLength(12);
  });

  test('are left unchanged if they exist', async ({ server }) => {
    await forgetDemoAccounts(server);
    await ensureDemoAccounts(server.services);
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

  test('lose their sessions and public passwords when closed, but not a changed password', async ({
    server,
  }) => {
    const { services } = server;
    const enter = (identifier: string, password: string) =>
      server.anonymous().api.auth.login.$post({ json: { identifier, password } });
    await forgetDemoAccounts(server);
    await ensureDemoAccounts(services);
    const visitor = server.anonymous();
    await visitor.api.auth.login.$post({ json: { identifier: 'demo', password: 'demo-trasvia' } });
    const changed = { currentPassword: 'demo-trasvia', password: 'un-altra-password' };
    expect((await visitor.api.auth.password.$put({ json: changed })).status).toBe(204);
    expect((await enter('admin', 'admin-trasvia')).status).toBe(200);
    expect(await closeDemoAccounts(services)).toEqual(['admin', 'fatture']);
    const sessions = await server.make.sql(
      "select from sessions join profiles on profiles.id = user_id where username = 'admin'",
    );
    expect(sessions.rowCount).toBe(0);
    expect((await enter('admin', 'admin-trasvia')).status).toBe(401);
    expect((await enter('fatture', 'fatture-trasvia')).status).toBe(401);
    expect((await enter('demo', 'un-altra-password')).status).toBe(200);
    expect(await closeDemoAccounts(services)).toEqual([]);
  });

  test('get their roles at the next start if the first was interrupted', async ({ server }) => {
    const { services } = server;
    await forgetDemoAccounts(server);
    const connect = () => Promise.reject(new Error('interrupted'));
    const pool = { query: services.pool.query.bind(services.pool), connect } as unknown as Pool;
    await expect(ensureDemoAccounts({ ...services, pool })).rejects.toThrow('interrupted');
    const begun = await server.make.sql(
      "select username from profiles where username in ('demo', 'admin', 'fatture')",
    );
    expect(begun.rowCount).toBe(3);
    await ensureDemoAccounts(services);
    const { rows } = await server.make.sql(
      "select username, role from profiles where username in ('admin', 'fatture') order by username",
    );
    expect(rows).toEqual([
      { username: 'admin', role: 'admin' },
      { username: 'fatture', role: 'admin' },
    ]);
    await server.make.sql("update profiles set email_verified = false where username = 'admin'");
    expect(await closeDemoAccounts(services)).toContain('admin');
  });
});
