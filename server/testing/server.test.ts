import { describe, expect } from 'vitest';
import { test } from './test.ts';

describe('the test server', () => {
  test('is ready', async ({ server }) => {
    const response = await server.anonymous().request('/readyz');
    expect(response.status).toBe(200);
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
