import { sql } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { dashboardSchema } from '#contract/dashboard.ts';
import { todayInRome } from '#contract/dates.ts';
import { formatEuro } from '#contract/money.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { storedPaths } from '#server/testing/invoice-facts.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { ensureDemoAccounts } from './ensure.ts';
import { seedDemo } from './seed.ts';

async function demo(server: TestServer) {
  const visitor = server.anonymous();
  const response = await visitor.api.auth.login.$post({
    json: { identifier: 'demo', password: 'demo-trasvia', remember: false },
  });
  expect(response.ok).toBe(true);
  return visitor;
}

/** Deletes the account as its owner can. */
async function leave(server: TestServer): Promise<void> {
  await ensureDemoAccounts(server.services);
  const gone = await (await demo(server)).api.me.$delete({ json: { password: 'demo-trasvia' } });
  expect(gone.status).toBe(204);
}

/** Deletes the account and recreates it. */
async function renew(server: TestServer): Promise<void> {
  await leave(server);
  await ensureDemoAccounts(server.services);
}

/** @param whose a condition on the records; without one, those that earlier accounts left count, too */
async function counts({ services }: TestServer, whose = sql`true`) {
  const { rows } = await readAs(services.pool, SYSTEM).execute(sql`
    select (select count(*)::int from projects where ${whose}) as projects,
      (select count(*)::int from employees where ${whose}) as employees,
      (select count(*)::int from invoices where ${whose}) as invoices,
      (select count(*)::int from trip_requests where ${whose}) as requests,
      (select count(*)::int from project_total_mismatches) as mismatches`);
  return rows[0];
}

const OF_DEMO = sql`user_id = (select id from profiles where username = 'demo')`;

describe('the demo customer', () => {
  test('gets a year of records once, even when two processes seed at the same time', async ({ server }) => {
    await leave(server);
    const before = await counts(server);
    await seedDemo(server.services);
    expect(await counts(server)).toEqual(before);

    await ensureDemoAccounts(server.services);
    await Promise.all([seedDemo(server.services), seedDemo(server.services)]);
    const once = await counts(server, OF_DEMO);
    expect(once).toMatchObject({ projects: 12, employees: 60, requests: 6, mismatches: 0 });
    await seedDemo(server.services);
    expect(await counts(server, OF_DEMO)).toEqual(once);

    const visitor = await demo(server);
    const home = dashboardSchema.parse(await (await visitor.api.dashboard.$get()).json());
    expect(home.samples).toEqual({ projects: false, employees: false, invoices: false });
    expect(home.overdue.count).toBeGreaterThan(0);
    expect(home.months.filter(({ amount }) => amount > 0).length).toBeGreaterThan(9);
  });

  test('gets its year again on the day of its deletion, although its old invoices keep their numbers', async ({
    server,
  }) => {
    await ensureDemoAccounts(server.services);
    await seedDemo(server.services);
    await renew(server);
    await seedDemo(server.services);
    const home = dashboardSchema.parse(await (await (await demo(server)).api.dashboard.$get()).json());
    expect(home.samples).toEqual({ projects: false, employees: false, invoices: false });
  });

  test('has employees whose history starts as available, ends in the current status and has no future entries', async ({
    server,
  }) => {
    await ensureDemoAccounts(server.services);
    await seedDemo(server.services);
    const visitor = await demo(server);
    const { items } = await (await visitor.api.employees.$get({ query: { limit: '100' } })).json();
    expect(new Set(items.map(({ status }) => status)).size).toBe(3);
    for (const { id, status } of items) {
      const one = visitor.api.employees[':id'];
      const all = { param: { id: String(id) }, query: { limit: '100' } };
      const { items: statusChanges } = await (await one['status-changes'].$get(all)).json();
      const { items: assignments } = await (await one.assignments.$get(all)).json();
      const changes = statusChanges.toSorted((a, b) => a.at.localeCompare(b.at));
      expect(changes.at(0)?.status).toBe('disponibile');
      expect(changes.at(-1)?.status).toBe(status);
      expect(changes.some((change, index) => change.status === changes[index + 1]?.status)).toBe(false);
      const instants = [...changes.map(({ at }) => at), ...assignments.map(({ assignedAt }) => assignedAt)];
      expect(instants.filter((at) => todayInRome(new Date(at)) >= todayInRome())).toEqual([]);
    }
  });

  test('downloads real PDFs of its invoices', async ({ server }) => {
    await ensureDemoAccounts(server.services);
    await seedDemo(server.services);
    const visitor = await demo(server);
    const list = await (await visitor.api.invoices.$get({ query: {} })).json();
    const [invoice] = list.items;
    expect(invoice?.fileName).toMatch(/^Fattura FAT.*\.pdf$/);
    const file = await visitor.request(`/api/invoices/${invoice?.number}/file`);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(file.headers.get('Content-Type')).toBe('application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toContain('%%EOF');
    expect(formatEuro(invoice?.amount ?? 0)).not.toBe(formatEuro(0));
  });

  test('is not seeded if its user creates a record meanwhile, and no seeded files remain', async ({
    server,
  }) => {
    const { services, make } = server;
    await renew(server);
    const visitor = await demo(server);
    const { id } = await (await visitor.api.me.$get()).json();
    const project = { name: 'Il mio primo cantiere', location: 'Pavia', employeeIds: [], newEmployees: [] };
    const put = vi.spyOn(services.files, 'put').mockImplementationOnce(async (path, body) => {
      await services.files.put(path, body);
      await visitor.api.projects.$post({ header: {}, json: project });
    });
    await seedDemo(services);
    put.mockRestore();
    const { rows } = await make.sql('select name from projects where user_id = $1', [id]);
    expect(rows).toEqual([{ name: project.name }]);
    const stored = await storedPaths(server);
    expect(stored.filter((path) => path.startsWith(id))).toEqual([]);
  });
});
