import fc from 'fast-check';
import { beforeEach, describe, expect } from 'vitest';
import { DASHBOARD_LIMITS, dashboardSchema } from '#contract/dashboard.ts';
import { addDays, todayInRome } from '#contract/dates.ts';
import { EMPLOYEE_DEFAULTS } from '#contract/employees.ts';
import { projectAssignments } from '#server/db/schema.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import type { TestUser } from '#server/testing/factories.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});
const day = (days: number) => addDays(today, days);

async function assign(server: TestServer, owner: TestUser, employeeId: number, projectId: number) {
  await transaction(server.services.pool, SYSTEM, async (tx) => {
    await tx.insert(projectAssignments).values({ projectId, employeeId, userId: owner.id });
  });
}

async function dashboardOf(server: TestServer, user: TestUser) {
  const response = await (await server.as(user)).api.dashboard.$get();
  expect(response.status).toBe(200);
  return dashboardSchema.parse(await response.json());
}

describe('Home', () => {
  test('counts open projects and travelling people', async ({ server }) => {
    const user = await server.make.user();
    const open = await server.make.project(user);
    await server.make.project(user, { status: 'Completato' });
    await server.make.employee(user, { status: 'in trasferta' }, open);
    await server.make.employee(user, { status: 'in trasferta' });
    await server.make.employee(user, { status: 'Rientrato' }, open);
    const { activeProjects, travelling } = await dashboardOf(server, user);
    expect({ activeProjects, travelling }).toEqual({ activeProjects: 1, travelling: 2 });
  });

  test('sums invoices issued up to today, paid and unpaid separately', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user);
    await server.make.invoice(user, project, { euro: 1000.1, status: 'Pagata', issueDate: day(-40) });
    await server.make.invoice(user, project, { euro: 200.2, issueDate: today, dueDate: day(30) });
    await server.make.invoice(user, project, { euro: 30.3, issueDate: day(-60), dueDate: day(-1) });
    await server.make.invoice(user, project, { euro: 4, issueDate: day(-60), dueDate: today });
    await server.make.invoice(user, project, { euro: 5, issueDate: day(-60), dueDate: null });
    await server.make.invoice(user, project, { euro: 500_000, issueDate: day(1) });
    const { spent, unpaid, overdue } = await dashboardOf(server, user);
    expect(spent).toEqual({ total: 1239.6, paid: 1000.1, unpaid: 239.5 });
    expect(unpaid).toEqual({ count: 4, amount: 239.5 });
    expect(overdue).toEqual({ count: 1, amount: 30.3 });
  });

  test('lists who is travelling, where and until when', async ({ server }) => {
    const user = await server.make.user();
    const running = await server.make.project(user, { startDate: day(-10), endDate: day(5) });
    const earlier = await server.make.project(user, { startDate: day(-90), endDate: day(90) });
    const next = await server.make.project(user, { startDate: day(3), endDate: day(9) });
    const both = await server.make.employee(user, { name: 'Anna Bo' }, running);
    await server.make.employee(user, { name: 'Carlo Di' }, running);
    for (const name of ['Senza Sede', 'Altra Via', 'Terza Via']) await server.make.employee(user, { name });
    await server.make.employee(user, { name: 'In Arrivo' }, next);
    await server.make.employee(user, { status: 'Rientrato' }, earlier);
    await assign(server, user, both.id, earlier.id);
    const { away } = await dashboardOf(server, user);
    expect(away).toEqual([
      {
        projectId: running.id,
        projectName: running.name,
        location: running.location,
        from: day(-10),
        until: day(5),
        people: 2,
        names: ['Anna Bo', 'Carlo Di'],
      },
      expect.objectContaining({ projectId: next.id, people: 1, names: ['In Arrivo'] }),
      {
        projectId: null,
        projectName: null,
        location: null,
        from: null,
        until: null,
        people: 3,
        names: ['Altra Via', 'Senza Sede', 'Terza Via'],
      },
    ]);
  });

  test.for([
    ['that starts today before one that began earlier', [-5, 1], [0, 3]],
    ['that ends today before one that starts tomorrow', [1, 4], [-5, 0]],
    ['that began last, even if the other ends today', [-5, 0], [-2, 3]],
    ['that ended last when all are over', [-9, -3], [-9, -2]],
  ] as const)('shows somebody on several sites on the one %s', async ([, other, shown], { server }) => {
    const user = await server.make.user();
    const employee = await server.make.employee(user);
    const made = [];
    for (const [start, end] of [other, shown]) {
      const project = await server.make.project(user, { startDate: day(start), endDate: day(end) });
      await server.make.assign(user, project, employee);
      made.push(project.id);
    }
    const { away } = await dashboardOf(server, user);
    expect(away.map(({ projectId }) => projectId)).toEqual(made.slice(1));
  });

  test('shows somebody on several sites of the same dates on the first', async ({ server }) => {
    const user = await server.make.user();
    const first = await server.make.project(user);
    const employee = await server.make.employee(user, {}, first);
    await server.make.assign(user, await server.make.project(user), employee);
    const { away } = await dashboardOf(server, user);
    expect(away.map(({ projectId }) => projectId)).toEqual([first.id]);
  });

  test('shows everybody on the same project as the list of employees does', async ({ server }) => {
    const site = fc.record({
      start: fc.integer({ min: -6, max: 3 }),
      days: fc.integer({ min: 0, max: 3 }),
      completed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(site, { minLength: 2, maxLength: 6 }),
        // The sites of each person, one bit per site.
        fc.array(fc.nat(63), { minLength: 1, maxLength: DASHBOARD_LIMITS.names }),
        async (sites, people) => {
          const user = await server.make.user();
          const projects = [];
          for (const { start, days, completed } of sites) {
            const status = completed && days > 0 ? 'Completato' : 'In corso';
            const dates = { startDate: day(start), endDate: day(start + days) };
            projects.push(await server.make.project(user, { ...dates, status }));
          }
          for (const on of people) {
            const employee = await server.make.employee(user);
            for (const [index, project] of projects.entries())
              if (on & (1 << index)) await server.make.assign(user, project, employee);
          }
          const { items } = await (await (await server.as(user)).api.employees.$get({ query: {} })).json();
          const placed = Object.groupBy(items, ({ project }) => project);
          const { away } = await dashboardOf(server, user);
          const groups = away.map(({ projectName, names }) => [
            projectName ?? EMPLOYEE_DEFAULTS.project,
            names,
          ]);
          expect(Object.fromEntries(groups)).toEqual(
            Object.fromEntries(
              Object.entries(placed).map(([project, on = []]) => [
                project,
                on.map(({ name }) => name).sort(),
              ]),
            ),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test('lists projects that start or end within fourteen days, inclusive', async ({ server }) => {
    const user = await server.make.user();
    const ending = await server.make.project(user, { startDate: day(-5), endDate: today });
    const starting = await server.make.project(user, { startDate: day(14), endDate: day(40) });
    await server.make.project(user, { startDate: day(15), endDate: day(41) });
    await server.make.project(user, { startDate: day(-9), endDate: day(1), status: 'Completato' });
    const leaving = await server.make.project(user, { startDate: day(-9), endDate: day(2) });
    const arriving = await server.make.project(user, { startDate: day(2), endDate: day(50) });
    await server.make.project(user, { startDate: day(-9), endDate: day(-1) });
    for (const site of [leaving, leaving, ending]) await server.make.employee(user, {}, site);
    const { milestones, milestonesTotal } = await dashboardOf(server, user);
    expect(milestones.map(({ projectId, event, date, people }) => [projectId, event, date, people])).toEqual([
      [ending.id, 'end', today, 1],
      [arriving.id, 'start', day(2), 0],
      [leaving.id, 'end', day(2), 2],
      [starting.id, 'start', day(14), 0],
    ]);
    expect(milestonesTotal).toBe(4);
  });

  test('lists unpaid invoices that are overdue or due within fourteen days, earliest first', async ({
    server,
  }) => {
    const user = await server.make.user();
    const project = await server.make.project(user);
    const issueDate = day(-50);
    const soon = await server.make.invoice(user, project, { issueDate, dueDate: day(14) });
    const late = await server.make.invoice(user, project, { issueDate, dueDate: day(-1) });
    const last = await server.make.invoice(user, project, { issueDate: today, dueDate: today });
    await server.make.invoice(user, project, { issueDate: day(1), dueDate: day(10) });
    await server.make.invoice(user, project, { issueDate, dueDate: day(15) });
    await server.make.invoice(user, project, { issueDate, dueDate: day(-3), status: 'Pagata' });
    await server.make.invoice(user, project, { issueDate, dueDate: null });
    const { due, dueSoon } = await dashboardOf(server, user);
    expect(due.map(({ number, overdue }) => ({ number, overdue }))).toEqual([
      { number: late.invoiceNumber, overdue: true },
      { number: last.invoiceNumber, overdue: false },
      { number: soon.invoiceNumber, overdue: false },
    ]);
    expect(dueSoon).toBe(3);
  });

  test('shows pending requests, those waiting for the customer first', async ({ server }) => {
    const user = await server.make.user();
    const sent = await server.make.tripRequest(user);
    const proposed = await server.make.tripRequest(user, {
      state: 'Proposta inviata',
      startDate: day(60),
      endDate: day(70),
    });
    await server.make.tripRequest(user, { state: 'Confermata' });
    await server.make.tripRequest(user, { state: 'Annullata' });
    const dates = { startDate: day(20), endDate: day(30) };
    const processed = await server.make.tripRequest(user, { state: 'In lavorazione', ...dates });
    const { requests } = await dashboardOf(server, user);
    expect(requests.waiting).toBe(3);
    expect(requests.items.map(({ id }) => id)).toEqual([proposed.id, processed.id, sent.id]);
  });

  test('shortens long lists, but counts everything', async ({ server }) => {
    const user = await server.make.user();
    const over = { projectedTotal: '10.00', startDate: day(1), endDate: day(2) };
    const made = [];
    for (let number = 0; number < 9; number += 1) {
      const project = await server.make.project(user, {
        ...over,
        ...(number > 0 && { projectedTotal: '500.00' }),
        ...(number === 8 && { endDate: day(1) }),
      });
      made.push(project);
      await server.make.employee(user, {}, project);
      await server.make.tripRequest(user);
    }
    const [first, second] = made;
    if (!first || !second) throw new Error('no projects');
    const numbers = [(await server.make.invoice(user, first, { euro: 11, dueDate: day(3) })).invoiceNumber];
    for (let number = 1; number < 7; number += 1)
      numbers.push((await server.make.invoice(user, second, { euro: 1, dueDate: day(3) })).invoiceNumber);
    // More than on any site, but without one.
    for (const name of ['Anna', 'Bruno']) await server.make.employee(user, { name });

    const home = await dashboardOf(server, user);
    const ids = made.map(({ id }) => id);
    // Of sites with as many people, first the one that ends first, then in the order of their creation.
    expect(home.away.map(({ projectId }) => projectId)).toEqual([ids[8], ...ids.slice(0, 7)]);
    expect(home.travelling).toBe(11);
    expect(home.milestones.map(({ projectId, event }) => [projectId, event])).toEqual(
      ids.slice(0, 8).map((id) => [id, 'start']),
    );
    expect(home.milestonesTotal).toBe(18);
    expect(home.due.map(({ number }) => number)).toEqual(numbers.sort().slice(0, 5));
    expect(home.dueSoon).toBe(7);
    expect([home.requests.items.length, home.requests.waiting]).toEqual([4, 9]);
    expect(home.budgets.some(({ spent, projected }) => spent > projected)).toBe(false);
    expect(home.projections).toEqual({ projects: 9, planned: 9, over: 1 });
  });

  test('leaves out the people without a site before any site', async ({ server }) => {
    const user = await server.make.user();
    const sites = [];
    for (let number = 0; number < 8; number += 1) {
      const site = await server.make.project(user);
      sites.push(site.id);
      for (let person = number < 7 ? 0 : 1; person < 2; person += 1)
        await server.make.employee(user, {}, site);
    }
    for (let person = 0; person < 3; person += 1) await server.make.employee(user);
    const { away } = await dashboardOf(server, user);
    expect(away.map(({ projectId }) => projectId)).toEqual(sites);
  });

  test('compares what was spent with what was projected, and counts no project as over without a projection', async ({
    server,
  }) => {
    const user = await server.make.user();
    const make = async (projectedTotal: string, euro?: number) => {
      const project = await server.make.project(user, { projectedTotal });
      if (euro !== undefined) await server.make.invoice(user, project, { euro });
      return project.id;
    };
    const exact = await make('200.00', 200);
    const over = await make('100.00', 300);
    const unplanned = await make('0', 250);
    await make('0');
    const { budgets, projections } = await dashboardOf(server, user);
    expect(budgets.map(({ projectId, projected, spent }) => [projectId, projected, spent])).toEqual([
      [over, 100, 300],
      [unplanned, 0, 250],
      [exact, 200, 200],
    ]);
    expect(projections).toEqual({ projects: 3, planned: 2, over: 1 });
  });

  test('sums twelve months and compares open projects with their projected total', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { projectedTotal: '5000.00' });
    await server.make.project(user, { projectedTotal: '0' });
    await server.make.project(user, { projectedTotal: '9000.00', status: 'Completato' });
    await server.make.invoice(user, project, { euro: 70.5, issueDate: today });
    await server.make.invoice(user, project, { euro: 29.5, issueDate: today });
    await server.make.invoice(user, project, { euro: 900, issueDate: day(-500) });
    const { months, budgets } = await dashboardOf(server, user);
    expect(months).toHaveLength(12);
    expect(months.at(-1)).toEqual({ month: today.slice(0, 7), amount: 100 });
    expect(months.slice(0, -1).every(({ amount }) => amount === 0)).toBe(true);
    expect(budgets).toEqual([
      { projectId: project.id, projectName: project.name, projected: 5000, spent: 1000 },
    ]);
  });

  test('contains nothing of other customers', async ({ server }) => {
    const owner = await server.make.user();
    const project = await server.make.project(owner, { endDate: day(3) });
    await server.make.employee(owner, {}, project);
    await server.make.invoice(owner, project, { dueDate: today });
    await server.make.tripRequest(owner);
    const stranger = await server.make.user();
    const own = await server.make.project(stranger, { startDate: day(-40), endDate: day(60) });
    await server.make.employee(stranger, { status: 'disponibile' });
    await server.make.invoice(stranger, own, { euro: 5, status: 'Pagata', issueDate: today });
    expect(await dashboardOf(server, stranger)).toMatchObject({
      activeProjects: 1,
      travelling: 0,
      spent: { total: 5, paid: 5, unpaid: 0 },
      away: [],
      milestones: [],
      milestonesTotal: 0,
      projections: { projects: 1, planned: 1, over: 0 },
      due: [],
      dueSoon: 0,
      requests: { waiting: 0, items: [] },
    });
  });

  test('shows an administrator only their own requests', async ({ server }) => {
    await server.make.tripRequest(await server.make.user());
    const admin = await server.make.user({ role: 'admin' });
    expect((await dashboardOf(server, admin)).requests).toEqual({ waiting: 0, items: [] });
    const own = await server.make.tripRequest(admin);
    expect((await dashboardOf(server, admin)).requests).toMatchObject({
      waiting: 1,
      items: [{ id: own.id }],
    });
  });

  test('counts what waits for the provider, for administrators only', async ({ server }) => {
    const customer = await server.make.user();
    const admin = await server.make.user({ role: 'admin' });
    const { sent = 0, inProgress = 0, undelivered = 0 } = (await dashboardOf(server, admin)).toManage ?? {};
    for (const state of ['Inviata', 'In lavorazione', 'In lavorazione', 'Confermata'] as const)
      await server.make.tripRequest(customer, { state });
    await server.make.undeliveredMail();
    await server.make.undeliveredMail({ state: 'queued' });
    await server.make.undeliveredMail({ state: 'queued', attempts: 0 });
    expect((await dashboardOf(server, admin)).toManage).toEqual({
      sent: sent + 1,
      inProgress: inProgress + 2,
      undelivered: undelivered + 2,
    });
    expect((await dashboardOf(server, customer)).toManage).toBeNull();
  });

  test('shows samples of each kind until there is real data of that kind', async ({ server }) => {
    const user = await server.make.user();
    const before = await dashboardOf(server, user);
    expect(before).toMatchObject({
      samples: { projects: true, employees: true, invoices: true },
      activeProjects: 1,
      travelling: 3,
      unpaid: { count: 1, amount: 6240.5 },
      away: [{ people: 3, names: ['Giulia Esposito', 'Luca Romano', 'Marco Ferrari'] }],
      requests: { waiting: 0, items: [] },
    });
    expect(before.months.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(before.spent.total, 2);

    await server.make.project(user, { projectedTotal: '0' });
    expect(await dashboardOf(server, user)).toMatchObject({
      samples: { projects: false, employees: true, invoices: true },
      budgets: [],
      travelling: 3,
    });

    const project = await server.make.project(user);
    await server.make.invoice(user, project, { issueDate: day(1) });
    expect((await dashboardOf(server, user)).samples.invoices).toBe(true);
    await server.make.invoice(user, project);
    expect((await dashboardOf(server, user)).samples.invoices).toBe(false);
  });
});
