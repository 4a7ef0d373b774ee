import { describe, expect, inject } from 'vitest';
import { readEnv } from '#server/env.ts';
import { startServices } from '#server/services.ts';
import { createTestDatabase } from './cluster.ts';
import { test } from './test.ts';

describe('the test server', () => {
  test('is ready', async ({ server }) => {
    const response = await server.anonymous().request('/readyz');
    expect(response.status).toBe(200);
  });

  test('waits longer for a database connection while it starts than a request does', async () => {
    const { databaseUrl, drop } = await createTestDatabase(inject('testCluster'));
    const env = {
      ...readEnv({}),
      databaseUrl,
      authSecret: 'a secret of the tests, of at least 32 characters',
    };
    let starting: number | undefined;
    const services = await startServices({ ...env, logLevel: 'silent' }, undefined, async ({ pool }) => {
      starting = pool.options.connectionTimeoutMillis;
    });
    const { connectionTimeoutMillis } = services.pool.options;
    await services.stop();
    await drop();
    expect([starting, connectionTimeoutMillis]).toEqual([20_000, 5_000]);
  });

  test('recognises signed-in users and visitors', async ({ server }) => {
    const user = await server.make.user();
    const mine = await (await server.as(user)).api.me.$get();
    expect(await mine.json()).toMatchObject({ id: user.id, email: user.email });
    const nobody = await server.anonymous().api.me.$get();
    expect(nobody.status).toBe(401);
  });

  test('has factories whose records satisfy the tables', async ({ server }) => {
    const { make } = server;
    const owner = await make.user();
    const project = await make.project(owner);
    await make.employee(owner, {}, project);
    const invoice = await make.invoice(owner, project, { euro: 1250.5 });
    const trip = await make.tripRequest(owner, { projectId: project.id });
    const admin = await make.invoiceAdmin();
    expect([invoice.amount, trip.projectId, admin.email]).toEqual([
      '1250.50',
      project.id,
      server.services.env.invoiceAdminEmail,
    ]);
  });
});
