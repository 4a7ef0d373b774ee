import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect } from 'vitest';
import { dashboardSchema } from '#contract/dashboard.ts';
import { addDays, calendarDateSchema, formatDate, todayInRome } from '#contract/dates.ts';
import { invoiceListSchema, invoiceSchema, invoiceSummarySchema } from '#contract/invoices.ts';
import { readAs } from '#server/db/scope.ts';
import type { FileStore } from '#server/files/store.ts';
import { errorOf } from '#server/testing/client.ts';
import { spentToDate, storedPaths, totalMismatches } from '#server/testing/invoice-facts.ts';
import { invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { readSheet } from '#server/testing/sheet.ts';
import { test as base } from '#server/testing/test.ts';
import { createInvoice } from './commands.ts';
import { exportInvoices } from './queries.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});
const past = (days: number) => addDays(today, -days);

/** A customer with a project, and functions that read their list of invoices. */
const test = base.extend('customer', async ({ server }) => {
  const user = await server.make.user();
  const project = await server.make.project(user, { name: 'Acciaieria di Terni', openingSpent: '50.00' });
  const visitor = await server.as(user);
  const list = async (query = '') =>
    invoiceListSchema.parse(await (await visitor.request(`/api/invoices${query}`)).json());
  const amounts = async (query = '') => (await list(query)).items.map(({ amount }) => amount);
  return { user, project, visitor, list, amounts };
});

describe("a customer's invoice list", () => {
  test('is newest first, without invoices of others and of the future', async ({
    server,
    customer: { user, project, list, amounts },
  }) => {
    const stranger = await server.make.user();
    await server.make.invoice(stranger, await server.make.project(stranger), { euro: 9999 });
    for (const [euro, issueDate] of [
      [1, past(3)],
      [2, today],
      [3, past(1)],
      [4, addDays(today, 1)],
    ] as const) {
      await server.make.invoice(user, project, { euro, issueDate });
    }
    expect(await amounts()).toEqual([2, 3, 1]);
    const all = { total: 3, totals: { amount: 6, paid: 0, unpaid: 6 } };
    expect(await list()).toMatchObject(all);
    expect(await list(`?to=${addDays(today, 7)}`)).toMatchObject(all);
  });

  test('can be filtered by status, project, period and words, with totals of the filtered invoices', async ({
    server,
    customer: { user, project, visitor, list, amounts },
  }) => {
    const other = await server.make.project(user, { name: 'Porto di Livorno' });
    const make = server.make.invoice;
    await make(user, project, { euro: 100.1, status: 'Pagata', issueDate: past(40), dueDate: past(10) });
    await make(user, project, { euro: 200.2, issueDate: past(40), dueDate: past(1) });
    const fresh = await make(user, other, {
      euro: 0.03,
      dueDate: today,
      description: 'Caffè e cornetti dell’alba',
    });

    expect(await amounts('?status=Pagata')).toEqual([100.1]);
    expect(await amounts('?status=Da%20Pagare')).toEqual([0.03, 200.2]);
    expect(await amounts('?status=Scaduta')).toEqual([200.2]);
    expect(await amounts(`?projectId=${other.id}`)).toEqual([0.03]);
    expect(await amounts('?projectId=0')).toEqual([]);
    expect(await amounts('?projectId=&limit=%20')).toEqual(await amounts());
    expect(await amounts(`?from=${past(40)}&to=${past(1)}`)).toEqual([200.2, 100.1]);
    expect(await amounts('?search=CAFFE')).toEqual([0.03]);
    expect(await amounts('?search=livorno')).toEqual([0.03]);
    expect(await amounts("?search=dell'ALBA")).toEqual([0.03]);
    expect(await amounts(`?search=${encodeURIComponent('dell’alba')}`)).toEqual([0.03]);
    expect(await amounts(`?search=${fresh.invoiceNumber.slice(-6)}`)).toEqual([0.03]);
    expect(await amounts('?search=cornetti%20%20livorno%20CAFFE')).toEqual([0.03]);
    expect(await amounts('?search=livorno%20polcevera')).toEqual([]);
    for (const text of ['200,20', '€ 200,2', '200.2', 'terni 200,20'])
      expect([text, await amounts(`?search=${encodeURIComponent(text)}`)]).toEqual([text, [200.2]]);
    expect((await list('?search=200,20')).totals).toEqual({ amount: 200.2, paid: 0, unpaid: 200.2 });
    expect(await amounts('?search=%25')).toEqual([]);
    expect(await list()).toMatchObject({ totals: { amount: 300.33, paid: 100.1, unpaid: 200.23 } });
    expect(await list('?status=Pagata&search=nessuna')).toMatchObject({
      items: [],
      total: 0,
      totals: { amount: 0, paid: 0, unpaid: 0 },
    });
    for (const query of ['?status=Persa', '?from=31/12/2026', '?limit=0', '?ordine=importo']) {
      expect([query, (await visitor.request(`/api/invoices${query}`)).status]).toEqual([query, 422]);
    }
  });

  test('has pages with each invoice once, even when many share an issue date', async ({
    server,
    customer: { user, project, list },
  }) => {
    for (let index = 0; index < 11; index += 1) {
      await server.make.invoice(user, project, { euro: index + 1, issueDate: past(index % 2) });
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=4${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toBe(11);
      seen.push(...page.items.map(({ number }) => number));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(11);
    expect(seen).toHaveLength(11);
  });
});

describe('the invoice summary', () => {
  test('counts and sums invoices by status, month and project, up to today', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    const other = await server.make.project(user, { name: 'Porto di Livorno' });
    const make = server.make.invoice;
    await make(user, project, { euro: 0.1, status: 'Pagata' });
    await make(user, project, { euro: 0.2, dueDate: past(1), issueDate: past(500) });
    await make(user, other, { euro: 12.34, dueDate: today });
    await make(user, other, { euro: 500, issueDate: addDays(today, 1) });
    const deleted = await server.make.project(user, { name: 'Diga di Ridracoli' });
    await make(user, deleted, { euro: 800, issueDate: addDays(today, 1) });
    await server.make.sql('delete from projects where id = $1', [deleted.id]);
    const response = await visitor.request('/api/invoices/summary');
    const summary = invoiceSummarySchema.parse(await response.json());
    expect(summary).toMatchObject({
      total: { count: 3, amount: 12.64 },
      paid: { count: 1, amount: 0.1 },
      unpaid: { count: 2, amount: 12.54 },
      overdue: { count: 1, amount: 0.2 },
      projects: [
        { projectName: 'Porto di Livorno', location: other.location, amount: 12.34 },
        { projectName: 'Acciaieria di Terni', location: project.location, amount: 0.3 },
      ],
    });
    expect(summary.months).toHaveLength(12);
    expect(summary.months.at(-1)).toEqual({ month: today.slice(0, 7), paid: 0.1, unpaid: 12.34 });
    expect(summary.months.slice(0, -1).every(({ paid, unpaid }) => paid + unpaid === 0)).toBe(true);
  });
});

describe('the project of an invoice', () => {
  test('is shown everywhere with its current name, and with its last name once deleted', async ({
    server,
    customer: { user, project, visitor, list, amounts },
  }) => {
    const stays = await server.make.project(user, { name: 'Porto di Livorno' });
    await server.make.invoice(user, project, { euro: 10, issueDate: past(5), dueDate: past(1) });
    await server.make.invoice(user, project, { euro: 20, issueDate: past(4) });
    await server.make.invoice(user, stays, { euro: 40 });
    const versions = async () =>
      (await server.make.sql('select version from invoices where user_id = $1 order by id', [user.id])).rows;
    const before = await versions();
    const summaryOf = async () => {
      const response = await visitor.request('/api/invoices/summary');
      return invoiceSummarySchema.parse(await response.json());
    };
    const { paid, unpaid, overdue, months } = await summaryOf();
    const names = async () => (await list()).items.map((one) => one.projectName);

    const path = `/api/projects/${project.id}`;
    const { location, startDate, endDate } = project;
    const renamed = {
      name: 'Laminatoio di Piombino',
      location,
      startDate,
      endDate,
      openingSpent: 50,
      version: 1,
    };
    expect((await visitor.send('PATCH', path, renamed)).status).toBe(200);

    expect(await versions()).toEqual(before);
    expect(await totalMismatches(server)).toEqual([]);
    const after = await summaryOf();
    expect(after).toMatchObject({ paid, unpaid, overdue, months });
    const place = (of: typeof stays) => ({
      location: of.location,
      startDate: of.startDate,
      endDate: of.endDate,
    });
    for (const id of [project.id, null]) {
      expect(await names()).toEqual(['Porto di Livorno', 'Laminatoio di Piombino', 'Laminatoio di Piombino']);
      expect(await amounts('?search=piombino')).toEqual([20, 10]);
      expect(await amounts('?search=terni')).toEqual([]);
      expect((await summaryOf()).projects).toEqual([
        { projectId: stays.id, projectName: 'Porto di Livorno', ...place(stays), amount: 40 },
        {
          projectId: id,
          projectName: 'Laminatoio di Piombino',
          ...(id ? place(project) : { location: null, startDate: null, endDate: null }),
          amount: 30,
        },
      ]);
      const home = dashboardSchema.parse(await (await visitor.api.dashboard.$get()).json());
      expect(home.due).toMatchObject([{ projectName: 'Laminatoio di Piombino', amount: 10 }]);
      if (id !== null) expect((await visitor.request(path, { method: 'DELETE' })).status).toBe(204);
    }
  });

  test('is shown with its current name even if the invoice was created with the old one', async ({
    server,
    customer: { user, project, list },
  }) => {
    await server.make.sql('update projects set name = $1 where id = $2', ['Laminatoio', project.id]);
    await server.make.invoice(user, project, { euro: 10 });
    expect((await list()).items.map(({ projectName }) => projectName)).toEqual(['Laminatoio']);
    expect(await totalMismatches(server)).toEqual([]);
  });
});

describe('an export of invoices', () => {
  test('ends with the session, even while reads still believe its signed cookie', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    await server.make.invoice(user, project);
    expect((await visitor.api.me.$get()).status).toBe(200);
    await server.make.sql('delete from sessions where user_id = $1', [user.id]);
    expect((await visitor.api.me.$get()).status).toBe(200);
    expect((await visitor.request('/api/invoices/export?format=xlsx')).status).toBe(401);
    const csv = await visitor.request('/api/invoices/export?format=csv');
    await expect(csv.text()).rejects.toThrow('terminated');
  });

  test('as CSV has the format of Italian Excel, with formulas escaped', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    const first = await server.make.invoice(user, project, {
      euro: 1234.5,
      dueDate: addDays(today, 30),
      description: '=HYPERLINK("http://example.com";"qui")',
    });
    const second = await server.make.invoice(user, project, {
      euro: 0.01,
      status: 'Pagata',
      issueDate: past(1),
      dueDate: null,
      description: 'Vitto; alloggio\ne "extra"',
    });
    const third = await server.make.invoice(user, project, {
      euro: 20,
      issueDate: past(2),
      dueDate: null,
      description: '- Vitto\n- Alloggio',
    });
    await server.make.invoice(user, project, { euro: 77, issueDate: addDays(today, 1) });
    const response = await visitor.request('/api/invoices/export?format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(`filename="fatture-${today}.csv"`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(3).toString('utf8')).toBe(
      [
        'Fattura;Progetto;Data emissione;Scadenza;Importo (€);Stato;Descrizione',
        `${first.invoiceNumber};Acciaieria di Terni;${formatDate(today)};${formatDate(addDays(today, 30))};1234,50;Da Pagare;"'=HYPERLINK(""http://example.com"";""qui"")"`,
        `${second.invoiceNumber};Acciaieria di Terni;${formatDate(past(1))};;0,01;Pagata;"Vitto; alloggio\ne ""extra"""`,
        `${third.invoiceNumber};Acciaieria di Terni;${formatDate(past(2))};;20,00;Da Pagare;"'- Vitto\n- Alloggio"`,
        '',
      ].join('\r\n'),
    );
  });

  test('as XLSX has numbers and dates, and only the filtered invoices', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    await server.make.invoice(user, project, {
      euro: 1234.56,
      issueDate: calendarDateSchema.parse('2026-02-28'),
      dueDate: null,
    });
    await server.make.invoice(user, project, { euro: 88, status: 'Pagata' });
    const response = await visitor.request('/api/invoices/export?format=xlsx&status=Da%20Pagare');
    expect(response.headers.get('content-disposition')).toContain(`filename="fatture-${today}.xlsx"`);
    const sheet = readSheet(new Uint8Array(await response.arrayBuffer()));
    expect(sheet).toHaveLength(2);
    expect(sheet[0]?.slice(0, 5)).toEqual([
      'Fattura',
      'Progetto',
      'Data emissione',
      'Scadenza',
      'Importo (€)',
    ]);
    // Spreadsheets store 28 February 2026 as day 46081.
    expect(sheet[1]?.slice(1, 6)).toEqual(['Acciaieria di Terni', 46_081, null, 1234.56, 'Da Pagare']);
  });

  test('is refused, not truncated, when it has too many rows', async ({
    server,
    customer: { user, project },
  }) => {
    for (const euro of [1, 2, 3]) await server.make.invoice(user, project, { euro });
    const db = readAs(server.services.pool, { userId: user.id, role: 'user' });
    await expect(exportInvoices(db, user.id, {}, today, { most: 3 })).resolves.toHaveLength(3);
    await expect(exportInvoices(db, user.id, {}, today, { most: 2 })).rejects.toMatchObject({
      code: 'invoice_export_too_large',
      message: 'Troppe fatture per un solo file: al massimo 50.000. Restringi i filtri e riprova.',
    });
  });
});

describe("a user's own invoice", () => {
  test('can be created by an administrator, only for their own projects', async ({ server }) => {
    const admin = await server.make.user({ role: 'admin' });
    const project = await server.make.project(admin, { openingSpent: '1.00' });
    const visitor = await server.as(admin);
    const send = (values: Parameters<typeof invoiceForm>[0]) =>
      visitor.request('/api/invoices', { method: 'POST', body: invoiceForm(values) });
    const file = pdfFile(pdfOf(500), 'sede.pdf');
    const created = await send({ projectId: project.id, file, description: 'Sede' });
    expect(created.status).toBe(201);
    const { number } = invoiceSchema.parse(await created.json());
    expect(await spentToDate(server, project.id)).toBe('1251.50');
    expect(await storedPaths(server, admin)).toEqual([`${admin.id}/${number}_fattura.pdf`]);

    const stranger = await server.make.user();
    const foreign = await server.make.project(stranger);
    expect(await errorOf(await send({ projectId: foreign.id }))).toMatchObject({
      status: 422,
      fields: { projectId: 'Progetto selezionato non valido' },
    });
    expect(await errorOf(await send({ projectId: project.id, userId: stranger.id }))).toMatchObject({
      status: 422,
      fields: { userId: 'Campo non previsto: userId' },
    });
  });

  test('is created once per idempotency key', async ({ server }) => {
    const admin = await server.make.user({ role: 'admin' });
    const { id: projectId } = await server.make.project(admin);
    const visitor = await server.as(admin);
    const [key, otherKey] = [randomUUID(), randomUUID()];
    const send = (idempotencyKey: string, values: { amount?: string } = {}) =>
      visitor.request('/api/invoices', {
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: invoiceForm({ projectId, file: pdfFile(pdfOf(100)), ...values }),
      });
    const twins = await Promise.all([send(key), send(key)]);
    const made = await Promise.all(
      [...twins, await send(key)].map(async (answer) => invoiceSchema.parse(await answer.json())),
    );
    expect(new Set(made.map(({ number }) => number)).size).toBe(1);
    expect(await errorOf(await send(key, { amount: '7,00' }))).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect(await storedPaths(server, admin)).toHaveLength(1);
    expect((await send(otherKey)).status).toBe(201);
    expect(await storedPaths(server, admin)).toHaveLength(2);
  });

  test('cannot be created by a customer or without a login', async ({
    server,
    customer: { visitor, project },
  }) => {
    const body = () => invoiceForm({ projectId: project.id });
    expect(
      await errorOf(await visitor.request('/api/invoices', { method: 'POST', body: body() })),
    ).toMatchObject({
      status: 403,
      message: 'Solo gli admin possono creare fatture',
    });
    const anonymous = server.anonymous();
    expect((await anonymous.request('/api/invoices', { method: 'POST', body: body() })).status).toBe(401);
    expect(await spentToDate(server, project.id)).toBe('50.00');
  });

  test('is refused to a customer before the file is uploaded', async ({ server, customer: { visitor } }) => {
    const request = httpRequest(`${server.origin}/api/invoices`, {
      method: 'POST',
      signal: AbortSignal.timeout(10_000),
      headers: {
        Origin: server.origin,
        Cookie: visitor.cookies(),
        'Content-Type': 'multipart/form-data; boundary=confine',
        'Content-Length': 40_000_000,
      },
    });
    request.write('--confine\r\n');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(403);
    request.destroy();
  });

  test('can be deleted once, only by its owner, and is subtracted from the project total', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    const { invoiceNumber } = await server.make.invoice(user, project, { euro: 120.5 });
    const future = await server.make.invoice(user, project, { euro: 1, issueDate: addDays(today, 1) });
    const remove = (who: typeof visitor, number: string, query = '') =>
      who.request(`/api/invoices/${number}${query}`, { method: 'DELETE' });
    const stranger = await server.as(await server.make.user());
    // With the time of an earlier state, too, nobody else is shown the current one.
    for (const query of ['', `?from=${today}T00:00:00.000Z`]) {
      expect((await remove(stranger, invoiceNumber, query)).status).toBe(404);
      expect((await remove(server.anonymous(), invoiceNumber, query)).status).toBe(401);
      expect((await remove(visitor, future.invoiceNumber, query)).status).toBe(404);
    }
    expect(await spentToDate(server, project.id)).toBe('171.50');

    const both = await Promise.all([remove(visitor, invoiceNumber), remove(visitor, invoiceNumber)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await spentToDate(server, project.id)).toBe('51.00');
    expect(await totalMismatches(server)).toEqual([]);

    const clerk = await server.as(await server.make.invoiceAdmin());
    const history = await clerk.request(`/api/admin/invoices/${invoiceNumber}/events`);
    expect(await history.json()).toMatchObject({
      items: [{ action: 'deleted', actor: user.fullName, detail: { amount: 120.5 } }],
    });
  });

  test('has a PDF that can be downloaded from the issue date on', async ({
    server,
    customer: { user, project, visitor },
  }) => {
    const fileUrl = `${user.id}/domani_fattura.pdf`;
    await server.services.files.put(fileUrl, Readable.from([pdfOf(500)]));
    const issueDate = addDays(today, 1);
    const { id, invoiceNumber } = await server.make.invoice(user, project, {
      issueDate,
      fileUrl,
      fileName: 'domani.pdf',
    });
    const download = () => visitor.request(`/api/invoices/${invoiceNumber}/file`);
    expect((await download()).status).toBe(404);
    await server.make.sql('update invoices set issue_date = $1 where id = $2', [today, id]);
    expect((await download()).status).toBe(200);
  });

  test('cannot be deleted if it is a sample', async ({ customer: { visitor } }) => {
    const answer = await visitor.request('/api/invoices/FAT-ESEMPIO-1', { method: 'DELETE' });
    expect(await errorOf(answer)).toMatchObject({
      status: 409,
      message: 'I dati di esempio non possono essere modificati.',
    });
  });
});

test('an account erased while the PDF is stored gets no invoice', async ({
  server,
  customer: { user, project },
}) => {
  const clerk = await server.make.invoiceAdmin();
  const actor = { userId: clerk.id, kind: 'invoiceAdmin', sessionId: 'none' } as const;
  const { services } = server;
  const content = pdfOf(100);
  const erasedMeanwhile: FileStore = {
    ...services.files,
    async put(path, bytes) {
      await services.files.put(path, bytes);
      await server.make.sql('update profiles set deleted_at = now(), banned = true where id = $1', [user.id]);
    },
  };
  const file = {
    name: 'a.pdf',
    size: content.length,
    head: content,
    digest: '',
    read: () => Readable.from([content]),
  };
  const create = createInvoice(
    { ...services, files: erasedMeanwhile },
    actor,
    user.id,
    { amount: 10, issueDate: today, dueDate: null, description: null, projectId: project.id },
    file,
    null,
  );
  await expect(create).rejects.toMatchObject({
    code: 'invoice_user',
    fields: { userId: expect.any(String) },
  });
  expect(await storedPaths(server, user)).toEqual([]);
});

describe('a violated constraint of the database', () => {
  const draft = { amount: 10, issueDate: todayInRome(), dueDate: null, description: null };

  test('is reported as a duplicate invoice number', async ({ server, customer: { user, project } }) => {
    const clerk = await server.make.invoiceAdmin();
    const actor = { userId: clerk.id, kind: 'invoiceAdmin', sessionId: 'none' } as const;
    const { invoiceNumber } = await server.make.invoice(user, project);
    const create = createInvoice(
      server.services,
      actor,
      user.id,
      { ...draft, projectId: project.id },
      null,
      null,
      invoiceNumber,
    );
    await expect(create).rejects.toMatchObject({
      code: 'invoice_number_taken',
      message: 'Numero fattura già esistente. Riprova.',
    });
    expect(await spentToDate(server, project.id)).toBe('1050.00');
  });

  test('is reported as a project deleted in the meantime, and no file is kept', async ({
    server,
    customer: { user, project },
  }) => {
    await server.make.sql(`
      create function forget_project() returns trigger language plpgsql security definer as
        $$ begin delete from projects where id = new.project_id; return new; end $$;
      create trigger forget_project before insert on invoices for each row execute function forget_project()`);
    const clerk = await server.as(await server.make.invoiceAdmin());
    const values = { userId: user.id, projectId: project.id, file: pdfFile(pdfOf(100)) };
    const answer = await clerk.request('/api/admin/invoices', { method: 'POST', body: invoiceForm(values) });
    await server.make.sql('drop trigger forget_project on invoices; drop function forget_project');
    expect(await errorOf(answer)).toMatchObject({
      status: 409,
      message: 'Dati di riferimento non validi. Controlla utente e progetto.',
    });
    expect(await storedPaths(server, user)).toEqual([]);
    expect(await spentToDate(server, project.id)).toBe('50.00');
  });
});
