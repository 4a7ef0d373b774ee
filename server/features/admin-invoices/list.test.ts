import { beforeEach, describe, expect, onTestFinished } from 'vitest';
import {
  ADMIN_INVOICE_SORTS,
  adminInvoiceExportSchema,
  adminInvoiceListSchema,
} from '#contract/admin-invoices.ts';
import { customerListSchema, customerProjectListSchema } from '#contract/customers.ts';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';
import { readAs } from '#server/db/scope.ts';
import { signIn } from '#server/testing/client.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test as base } from '#server/testing/test.ts';
import { exportAllInvoices } from './queries.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});

/** Two customers with three invoices in total. */
async function seedInvoices(server: TestServer) {
  const rosa = await server.make.user({ fullName: 'Rosa Bruni', companyName: 'Ponteggi Àlti S.r.l.' });
  const ugo = await server.make.user({ fullName: 'Ugo Alfieri', companyName: null });
  const bridge = await server.make.project(rosa, { name: 'Ponte sul Sesia' });
  const dam = await server.make.project(ugo, { name: 'Diga di Ridracoli' });
  const make = server.make.invoice;
  const paid = await make(rosa, bridge, { euro: 100.1, status: 'Pagata', issueDate: addDays(today, -60) });
  const late = await make(rosa, bridge, {
    euro: 20.02,
    issueDate: addDays(today, -40),
    dueDate: addDays(today, -1),
    fileName: 'sesia.pdf',
    fileUrl: `${rosa.id}/sesia.pdf`,
  });
  const coming = await make(ugo, dam, { euro: 3, issueDate: addDays(today, 5), dueDate: addDays(today, 35) });
  return { rosa, ugo, paid, late, coming };
}

const test = base.extend('desk', { scope: 'file' }, async ({ server }) => {
  const made = await seedInvoices(server);
  const clerk = await server.as(await server.make.invoiceAdmin());
  const list = async (query = '') =>
    adminInvoiceListSchema.parse(await (await clerk.request(`/api/admin/invoices${query}`)).json());
  const amounts = async (query = '') => (await list(query)).items.map(({ amount }) => amount);
  return { ...made, clerk, list, amounts };
});

describe('the table of all invoices', () => {
  test('shows the invoices of every customer, newest first, including future ones', async ({ desk }) => {
    const { items, total, totals } = await desk.list();
    expect(items.map(({ amount, customer }) => [amount, customer.fullName])).toEqual([
      [3, 'Ugo Alfieri'],
      [20.02, 'Rosa Bruni'],
      [100.1, 'Rosa Bruni'],
    ]);
    expect({ total, totals }).toEqual({ total: 3, totals: { amount: 123.12, paid: 100.1, unpaid: 23.02 } });
  });

  test('can be searched by number, customer, e-mail, project and company, ignoring case and accents', async ({
    desk: { amounts, paid, rosa },
  }) => {
    expect(await amounts(`?search=${paid.invoiceNumber.toLowerCase()}`)).toEqual([100.1]);
    expect(await amounts('?search=ROSA')).toEqual([20.02, 100.1]);
    expect(await amounts(`?search=${rosa.email}`)).toEqual([20.02, 100.1]);
    expect(await amounts('?search=ridracoli')).toEqual([3]);
    expect(await amounts('?search=ponteggi%20alti')).toEqual([20.02, 100.1]);
    expect(await amounts('?search=nessuno')).toEqual([]);
    expect(await amounts('?search=100%25_')).toEqual([]);
  });

  test('finds each search word in the invoice or its customer, in any order', async ({
    desk: { amounts, list, paid, rosa },
  }) => {
    const number = paid.invoiceNumber.slice(-6);
    for (const text of [
      'bruni ROSA',
      'alti  ponteggi',
      'sesia bruni',
      'bruni sesia',
      'sesia ponte',
      `ponteggi sesia ponte bruni rosa alti s.r.l. ${rosa.email}`,
      'rosa ponteggi alti s.r.l. bruni sesia fat ponte sul SESIA',
    ]) {
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, [20.02, 100.1]]);
    }
    for (const text of [`${number} rosa sesia`, `alti ${number}`, `sesia fat ${number} ponteggi`])
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, [100.1]]);
    for (const text of ['rosa alfieri', 'bruni ridracoli', 'rosa sesia ridracoli', 'bruni rosa sesia zzz'])
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, []]);
    expect(await list('?search=bruni%20rosa')).toMatchObject({
      total: 2,
      totals: { amount: 120.12, paid: 100.1, unpaid: 20.02 },
    });
  });

  test('can be searched by amount in Italian notation, together with other words', async ({
    desk: { amounts, list },
  }) => {
    for (const text of ['20,02', '€ 20,02', '€20,02', '20.02', '20,02 rosa', 'bruni € 20,02 sesia'])
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, [20.02]]);
    expect(await amounts('?search=100,1')).toEqual([100.1]);
    for (const text of ['20,03', '20,02 alfieri', '120,12', '9'.repeat(200)])
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, []]);
    expect(await list('?search=20,02')).toMatchObject({
      total: 1,
      totals: { amount: 20.02, paid: 0, unpaid: 20.02 },
    });
  });

  test('can be filtered by status, customer, period and file, with totals of the filtered invoices', async ({
    desk: { amounts, list, ugo, clerk },
  }) => {
    expect(await amounts('?status=Pagata')).toEqual([100.1]);
    expect(await amounts('?status=Scaduta')).toEqual([20.02]);
    expect(await amounts(`?userId=${ugo.id}`)).toEqual([3]);
    expect(await amounts('?file=with')).toEqual([20.02]);
    expect(await amounts('?file=without')).toEqual([3, 100.1]);
    expect(await amounts(`?from=${addDays(today, -40)}&to=${today}`)).toEqual([20.02]);
    expect((await list('?search=rosa&status=Da%20Pagare')).totals).toEqual({
      amount: 20.02,
      paid: 0,
      unpaid: 20.02,
    });
    for (const query of ['?sort=colore', '?direction=su', '?cursor=abc', '?file=forse', '?limit=101']) {
      const { status } = await clerk.request(`/api/admin/invoices${query}`);
      expect([query, status >= 400 && status < 500]).toEqual([query, true]);
    }
  });

  test('can be sorted by each column in both directions, with pages that leave no gaps', async ({
    desk: { list },
  }) => {
    for (const sort of ADMIN_INVOICE_SORTS) {
      const whole: Record<string, string[]> = {};
      for (const direction of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page = await list(
            `?sort=${sort}&direction=${direction}&limit=1${cursor && `&cursor=${cursor}`}`,
          );
          seen.push(...page.items.map(({ number }) => number));
          cursor = page.nextCursor;
        }
        whole[direction] = seen;
      }
      expect([sort, whole.asc]).toEqual([sort, whole.desc?.toReversed()]);
      expect(new Set(whole.asc).size).toBe(3);
    }
    const byAmount = await list('?sort=amount&direction=asc');
    expect(byAmount.items.map(({ amount }) => amount)).toEqual([3, 20.02, 100.1]);
  });
});

describe('the selectors of the create form', () => {
  test('find customers by name, e-mail and company, and projects of the selected customer', async ({
    server,
    desk: { clerk, rosa, ugo },
  }) => {
    const gone = {
      fullName: 'Account eliminato',
      email: 'eliminato-1@eliminato.invalid',
      banned: true,
      deletedAt: new Date(),
    };
    await server.make.user(gone);
    const page = async (query: string) =>
      customerListSchema.parse(await (await clerk.request(`/api/admin/customers?${query}`)).json());
    expect((await page('')).items.map(({ email }) => email)).not.toContain(
      server.services.env.invoiceAdminEmail,
    );
    const [everybody, invoiceable] = [await page('limit=1'), await page('limit=1&invoiceable=true')];
    expect(everybody.total - invoiceable.total).toBe(1);
    const customers = async (search: string) =>
      customerListSchema
        .parse(await (await clerk.request(`/api/admin/customers?search=${search}`)).json())
        .items.map(({ fullName }) => fullName);
    expect(await customers('ponteggi')).toEqual(['Rosa Bruni']);
    expect(await customers(ugo.email)).toEqual(['Ugo Alfieri']);
    expect(await customers('xyz')).toEqual([]);
    expect(await customers('eliminato-&invoiceable=true')).toEqual([]);
    expect(await customers('eliminato-')).toEqual(['Account eliminato']);
    expect(await customers('ugo&invoiceable=true')).toEqual(['Ugo Alfieri']);
    expect(await customers(`&id=${rosa.id}`)).toEqual(['Rosa Bruni']);
    expect(await customers('&id=nobody')).toEqual([]);
    await server.make.user({ id: 'z' as UserId, fullName: 'Anna Maria' });
    await server.make.user({ id: 'a' as UserId, fullName: 'Anna Maria Bianchi' });
    expect(await customers('anna')).toEqual(['Anna Maria', 'Anna Maria Bianchi']);
    const projects = async (query: string) =>
      customerProjectListSchema
        .parse(await (await clerk.request(`/api/admin/customers/${rosa.id}/projects${query}`)).json())
        .items.map(({ name }) => name);
    expect(await projects('')).toEqual(['Ponte sul Sesia']);
    expect(await projects('?search=SESIA')).toEqual(['Ponte sul Sesia']);
    expect(await projects('?search=sesia%20PONTE')).toEqual(['Ponte sul Sesia']);
    expect(await projects('?search=diga')).toEqual([]);
  });
});

describe('the export of all invoices', () => {
  test('contains the filtered invoices in the order of the table, each with its customer', async ({
    desk: { clerk, rosa, paid, late },
  }) => {
    const response = await clerk.request(
      '/api/admin/invoices/export?format=csv&search=rosa&sort=amount&direction=asc',
    );
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(`filename="fatture-${today}.csv"`);
    const whose = `Rosa Bruni;Ponteggi Àlti S.r.l.;${rosa.email}`;
    const day = (days: number) => formatDate(addDays(today, days));
    expect((await response.text()).split('\r\n')).toEqual([
      'Utente;Azienda;Email;Fattura;Progetto;Data emissione;Scadenza;Importo (€);Stato;Descrizione',
      `${whose};${late.invoiceNumber};Ponte sul Sesia;${day(-40)};${day(-1)};20,02;Da Pagare;`,
      `${whose};${paid.invoiceNumber};Ponte sul Sesia;${day(-60)};;100,10;Pagata;`,
      '',
    ]);
  });

  test('is read in pages, and refused if it has too many rows', async ({ desk: _, server }) => {
    const db = readAs(server.services.pool, { userId: null, role: 'invoice_admin' });
    const filters = adminInvoiceExportSchema.parse({ format: 'csv' });
    const pages: number[][] = [];
    for await (const page of await exportAllInvoices(db, filters, today, { atOnce: 2, most: 3 }))
      pages.push(page.map(({ amount }) => amount));
    expect(pages).toEqual([[3, 20.02], [100.1]]);
    for (const search of [undefined, 'fat'])
      await expect(exportAllInvoices(db, { ...filters, search }, today, { most: 2 })).rejects.toMatchObject({
        code: 'invoice_export_too_large',
      });
  });

  test('has each invoice once although they change while it is read', async ({ server, desk: { ugo } }) => {
    const project = await server.make.project(ugo);
    // The other tests read the whole table.
    onTestFinished(async () => {
      await server.make.sql('delete from invoices where project_id = $1', [project.id]);
    });
    const made = [];
    for (let euro = 1; euro <= 6; euro += 1) made.push(await server.make.invoice(ugo, project, { euro }));
    const db = readAs(server.services.pool, { userId: null, role: 'invoice_admin' });
    const filters = adminInvoiceExportSchema.parse({
      format: 'csv',
      search: project.name,
      sort: 'amount',
      direction: 'asc',
    });
    const amounts: number[] = [];
    for await (const page of await exportAllInvoices(db, filters, today, { atOnce: 2 })) {
      amounts.push(...page.map(({ amount }) => amount));
      if (amounts.length > 2) continue;
      const change = 'update invoices set amount = $2 where invoice_number = $1';
      await server.make.sql(change, [made[0]?.invoiceNumber, 40]);
      await server.make.sql(change, [made[4]?.invoiceNumber, 0.5]);
      await server.make.sql('delete from invoices where invoice_number = $1', [made[3]?.invoiceNumber]);
    }
    expect(amounts).toEqual([1, 2, 3, 0.5, 6]);
  });

  test('ends with the session, even while reads still believe its signed cookie', async ({
    server,
    desk: _,
  }) => {
    // A session of its own, which the other tests do not need.
    const clerk = await signIn(server.anonymous(), await server.make.invoiceAdmin());
    const ask = async () => (await clerk.request('/api/admin/invoices/export?format=xlsx')).status;
    expect(await ask()).toBe(200);
    const {
      items: [session],
    } = await (await clerk.api.auth.sessions.$get({ query: {} })).json();
    await server.make.sql('delete from sessions where id = $1', [session?.id]);
    expect(await ask()).toBe(401);
  });

  test('is only for the invoice administrator', async ({ server }) => {
    const customer = await server.as(await server.make.user());
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    const ask = async (visitor: Pick<typeof customer, 'request'>) =>
      (await visitor.request('/api/admin/invoices/export?format=xlsx')).status;
    expect([await ask(customer), await ask(admin), await ask(server.anonymous())]).toEqual([403, 403, 401]);
  });
});
