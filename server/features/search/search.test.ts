import { describe, expect } from 'vitest';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { HITS_PER_KIND } from '#contract/search.ts';
import type { TestUser } from '#server/testing/factories.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

async function find(server: TestServer, user: TestUser, q: string) {
  const response = await (await server.as(user)).api.search.$get({ query: { q } });
  expect(response.status).toBe(200);
  return (await response.json()).hits;
}

describe('the global search', () => {
  test('finds projects, people, invoices and requests by name, place and number', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Viadotto Forlì', location: 'Cesena' });
    const person = await server.make.employee(user, { name: 'Forlini Ada', role: 'Tecnico' });
    const invoice = await server.make.invoice(user, project);
    const request = await server.make.tripRequest(user, { city: 'Forlimpopoli', projectName: 'Ponte' });
    expect(await find(server, user, 'FORLI')).toEqual([
      { kind: 'project', id: String(project.id), title: 'Viadotto Forlì', detail: 'Cesena' },
      { kind: 'employee', id: String(person.id), title: 'Forlini Ada', detail: 'Tecnico' },
      { kind: 'invoice', id: invoice.invoiceNumber, title: invoice.invoiceNumber, detail: 'Viadotto Forlì' },
      { kind: 'tripRequest', id: String(request.id), title: 'Forlimpopoli', detail: 'Ponte' },
    ]);
    expect(await find(server, user, 'cesena')).toHaveLength(1);
    for (const [q, kind] of [
      ['cesena  viadotto', 'project'],
      ['tecnico ADA', 'employee'],
      [`forlì viadotto ${invoice.invoiceNumber.slice(-6)}`, 'invoice'],
      ['ponte forlimpopoli', 'tripRequest'],
    ] as const) {
      expect([q, await find(server, user, q)]).toMatchObject([q, [{ kind }]]);
    }
    expect(await find(server, user, 'cesena tecnico')).toEqual([]);
    expect(await find(server, user, invoice.invoiceNumber.toLowerCase())).toHaveLength(1);
  });

  test('lists first what begins with the text', async ({ server }) => {
    const user = await server.make.user();
    for (const name of ['Gandini nord', 'Diga Gandini']) {
      await server.make.project(user, { name });
      await server.make.tripRequest(user, { city: name });
    }
    for (const name of ['Gandini Zeno', 'Ada Gandini']) await server.make.employee(user, { name });
    expect((await find(server, user, 'gand')).map(({ title }) => title)).toEqual([
      ...['Gandini nord', 'Diga Gandini'],
      ...['Gandini Zeno', 'Ada Gandini'],
      ...['Gandini nord', 'Diga Gandini'],
    ]);
  });

  test('finds requests by the present name of their project, which it shows, as their list does', async ({
    server,
  }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Caldaia Sud' });
    const values = { city: 'Brindisi', projectId: project.id, projectName: 'caldaia sud' };
    const request = await server.make.tripRequest(user, values);
    const hit = { kind: 'tripRequest', id: String(request.id), title: 'Brindisi', detail: 'caldaia sud' };
    const requests = async (q: string) =>
      (await find(server, user, q)).filter(({ kind }) => kind === 'tripRequest');
    expect(await requests('caldaia')).toEqual([hit]);
    await server.make.sql('update projects set name = $2 where id = $1', [project.id, 'Turbina Nord']);
    for (const q of ['turbina nord', 'brindisi TURBINA', 'caldaia turbina'])
      expect([q, await requests(q)]).toEqual([q, [{ ...hit, detail: 'caldaia sud (ora Turbina Nord)' }]]);
    expect(await requests('turbina sud est')).toEqual([]);
  });

  test('tells requests and projects apart by their periods where they look alike', async ({ server }) => {
    const user = await server.make.user({ fullName: 'Ezio Ferri', companyName: null });
    const days = { endDate: '2026-05-20' as CalendarDate };
    for (const startDate of ['2026-05-04', '2026-05-11'] as CalendarDate[]) {
      await server.make.project(user, { name: 'Fermata', location: 'Ferrera', startDate, ...days });
      await server.make.tripRequest(user, { city: 'Ferrera', projectName: 'Fermata', startDate, ...days });
    }
    await server.make.tripRequest(user, { city: 'Ferrera', projectName: 'Revamping' });
    const admin = await server.make.user({ role: 'admin' });
    const alike = (detail: string) => [
      `${detail} · 11/05/2026\u00a0– 20/05/2026`,
      `${detail} · 04/05/2026\u00a0– 20/05/2026`,
    ];
    const details = async (by: TestUser) => (await find(server, by, 'ferrera')).map(({ detail }) => detail);
    expect(await details(user)).toEqual([...alike('Ferrera'), 'Revamping', ...alike('Fermata')]);
    expect(await details(admin)).toEqual(['Ezio Ferri · Revamping', ...alike('Ezio Ferri · Fermata')]);
  });

  test('lists the latest invoices first, whenever they were entered', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Passante' });
    const latest = await server.make.invoice(user, project, { issueDate: todayInRome() });
    const earlier = await server.make.invoice(user, project, { issueDate: addDays(todayInRome(), -1) });
    const hits = (await find(server, user, 'passante')).filter(({ kind }) => kind === 'invoice');
    expect(hits.map(({ id }) => id)).toEqual([latest.invoiceNumber, earlier.invoiceNumber]);
  });

  test('ignores invisible characters that were pasted with the text', async ({ server }) => {
    const user = await server.make.user();
    await server.make.project(user, { name: 'Viadotto Forlì' });
    const { api } = await server.as(user);
    expect(await find(server, user, '\uFEFFVia\u00ADdotto Forlì\u200B')).toHaveLength(1);
    const list = async (search: string) =>
      (await (await api.projects.$get({ query: { search } })).json()) as { total: number };
    expect(await list('\u202AForlì\u202C')).toMatchObject({ total: 1 });
    expect(await list('\u200B')).toMatchObject({ total: 1 });
  });

  test("finds every customer's invoices and the customers for the invoice administrator, by number and customer", async ({
    server,
  }) => {
    const customer = await server.make.user({ fullName: 'Quirino Zanardi', companyName: 'Zanardi Ponteggi' });
    const project = await server.make.project(customer, { name: 'Diga di Ridracoli' });
    const future = addDays(todayInRome(), 1);
    const { invoiceNumber } = await server.make.invoice(customer, project, { issueDate: future });
    await server.make.tripRequest(customer, { city: 'Zanardia' });
    const desk = await server.make.invoiceAdmin();
    const hit = {
      kind: 'customerInvoice',
      id: invoiceNumber,
      title: invoiceNumber,
      detail: 'Quirino Zanardi, Zanardi Ponteggi · Diga di Ridracoli',
    };
    const account = {
      kind: 'customer',
      id: customer.id,
      title: 'Quirino Zanardi',
      detail: `Zanardi Ponteggi · ${customer.email}`,
    };
    for (const q of [invoiceNumber.slice(-8), 'ridracoli', 'zanardi quirino diga']) {
      expect(await find(server, desk, q)).toEqual([hit]);
    }
    for (const q of ['zanardi', 'quirino z', 'ponteggi quirino', customer.email]) {
      expect(await find(server, desk, q)).toEqual([hit, account]);
    }
    const strangers = [await server.make.user(), await server.make.user({ role: 'admin' })];
    for (const stranger of strangers) {
      const hits = await find(server, stranger, 'zanardi');
      expect(hits.filter(({ kind }) => kind === 'customer' || kind === 'customerInvoice')).toEqual([]);
    }
  });

  test("finds every customer's requests and accounts for an administrator, but no other customer data", async ({
    server,
  }) => {
    const customer = await server.make.user({ fullName: 'Wanda Yvoni', companyName: 'Yvoni Impianti' });
    const project = await server.make.project(customer, { name: 'Yvoni nord' });
    await server.make.invoice(customer, project);
    await server.make.employee(customer, { name: 'Yvoni Ada' });
    const request = await server.make.tripRequest(customer, { city: 'Gela', projectName: 'Turnaround' });
    const admin = await server.make.user({ role: 'admin' });
    const own = await server.make.project(admin, { name: 'Sede Yvoni', location: 'Milano' });
    expect(await find(server, admin, 'yvoni')).toEqual([
      { kind: 'project', id: String(own.id), title: 'Sede Yvoni', detail: 'Milano' },
      {
        kind: 'customerTripRequest',
        id: String(request.id),
        title: 'Gela',
        detail: 'Wanda Yvoni, Yvoni Impianti · Turnaround',
      },
      { kind: 'user', id: customer.id, title: 'Wanda Yvoni', detail: customer.email },
    ]);
    expect(await find(server, await server.make.user(), 'yvoni')).toEqual([]);
  });

  test("lists an administrator's own requests apart from those of customers", async ({ server }) => {
    const admin = await server.make.user({ role: 'admin' });
    const own = await server.make.tripRequest(admin, { city: 'Acquaviva' });
    await server.make.tripRequest(await server.make.user(), { city: 'Acquaviva' });
    const hits = await find(server, admin, 'acquaviva');
    expect(hits.filter(({ kind }) => kind === 'tripRequest')).toMatchObject([{ id: String(own.id) }]);
  });

  test('treats wildcards and quotes as plain text', async ({ server }) => {
    const user = await server.make.user();
    await server.make.project(user, { name: 'Lotto 100% finito' });
    await server.make.project(user, { name: 'Lotto 1000' });
    expect(await find(server, user, '0%')).toHaveLength(1);
    expect(await find(server, user, '__')).toHaveLength(0);
    expect(await find(server, user, "x' or 1=1")).toHaveLength(0);
  });

  test('limits the hits of each kind, and shows no future invoice and nothing of others', async ({
    server,
  }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Raffineria' });
    for (let index = 0; index <= HITS_PER_KIND; index += 1) {
      await server.make.employee(user, { name: `Raffaele ${index}` });
    }
    await server.make.invoice(user, project, { issueDate: addDays(todayInRome(), 1) });
    const hits = await find(server, user, 'raff');
    expect(hits.filter(({ kind }) => kind === 'employee')).toHaveLength(HITS_PER_KIND);
    expect(hits.filter(({ kind }) => kind === 'invoice')).toEqual([]);
    expect(await find(server, await server.make.user(), 'raff')).toEqual([]);
  });

  test('refuses a query of a single character', async ({ server }) => {
    const response = await (await server.as(await server.make.user())).request('/api/search?q=a');
    expect(response.status).toBe(422);
  });
});
