import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { adminInvoiceSchema } from '#contract/admin-invoices.ts';
import { addDays, addYears, todayInRome } from '#contract/dates.ts';
import { ERRORS } from '#contract/errors.ts';
import { INVOICE_PDF, invoiceSchema } from '#contract/invoices.ts';
import { errorOf } from '#server/testing/client.ts';
import { spentToDate, storedPaths, totalMismatches } from '#server/testing/invoice-facts.ts';
import { type InvoiceFormValues, invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf, readablePdf } from '#server/testing/pdf.ts';
import { test as base } from '#server/testing/test.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});

/** The invoice administrator, a customer and one of the customer's projects. */
const test = base.extend('desk', async ({ server }) => {
  const customer = await server.make.user();
  const project = await server.make.project(customer, { openingSpent: '100.00' });
  const clerk = await server.as(await server.make.invoiceAdmin());
  const create = (values: InvoiceFormValues = {}, headers: Record<string, string> = {}) =>
    clerk.request('/api/admin/invoices', {
      method: 'POST',
      headers,
      body: invoiceForm({ userId: customer.id, projectId: project.id, ...values }),
    });
  /** Creates an invoice with a PDF, with `key` as the idempotency key. */
  const sendKeyed = (key: string, values: InvoiceFormValues = {}) =>
    create({ file: pdfFile(pdfOf(100)), ...values }, { 'Idempotency-Key': key });
  return { customer, project, clerk, create, sendKeyed };
});

describe('creating an invoice', () => {
  test('raises the project total and lets the customer download the same bytes', async ({ server, desk }) => {
    const bytes = await readablePdf('Fattura di marzo, 40 pernottamenti');
    const created = await desk.create({ file: pdfFile(bytes) });
    expect(created.status).toBe(201);
    const invoice = invoiceSchema.parse(await created.json());
    expect(invoice).toMatchObject({
      amount: 1250.5,
      issueDate: today,
      dueDate: addDays(today, 30),
      status: 'Da Pagare',
      projectId: desk.project.id,
      projectName: desk.project.name,
      fileName: 'fattura marzo.pdf',
    });
    expect(invoice.number).toMatch(/^FAT\d{13}[A-Z0-9]{8}$/);
    expect(await storedPaths(server, desk.customer)).toEqual([
      `${desk.customer.id}/${invoice.number}_fattura.pdf`,
    ]);
    expect(await spentToDate(server, desk.project.id)).toBe('1350.50');

    const customer = await server.as(desk.customer);
    const list = await (await customer.api.invoices.$get({ query: {} })).json();
    expect(list).toMatchObject({ total: 1, totals: { amount: 1250.5, unpaid: 1250.5, paid: 0 } });
    const download = await customer.request(`/api/invoices/${invoice.number}/file`);
    expect(download.status).toBe(200);
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'cache-control': 'private, max-age=3600',
      'content-disposition': `attachment; filename="fattura marzo.pdf"; filename*=UTF-8''fattura%20marzo.pdf`,
    });
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
  });

  test('works without a file, and with a due date and a description', async ({ server, desk }) => {
    const dueDate = addDays(today, 60);
    const created = await desk.create({ dueDate, description: ' Vitto e alloggio ', amount: '0,01' });
    expect(await created.json()).toMatchObject({
      amount: 0.01,
      dueDate,
      description: 'Vitto e alloggio',
      fileName: null,
    });
    expect(await storedPaths(server, desk.customer)).toEqual([]);
  });

  test('makes one invoice of a form sent twice, even at the same time', async ({ server, desk }) => {
    const send = async (key: string) => {
      const answer = await desk.sendKeyed(key);
      expect(answer.status).toBe(201);
      return invoiceSchema.parse(await answer.json()).number;
    };
    const [once, twice] = [randomUUID(), randomUUID()];
    const numbers = [await send(once), await send(once), ...(await Promise.all([send(twice), send(twice)]))];
    expect(new Set(numbers).size).toBe(2);
    expect(await storedPaths(server, desk.customer)).toHaveLength(2);
    expect(await spentToDate(server, desk.project.id)).toBe('2601.00');
  });

  test('answers a repeated form with the invoice already created, even after its project was deleted', async ({
    server,
    desk,
  }) => {
    const key = randomUUID();
    const made = invoiceSchema.parse(await (await desk.sendKeyed(key)).json());
    await server.make.sql('delete from projects where id = $1', [desk.project.id]);
    const again = await desk.sendKeyed(key);
    expect(again.status).toBe(201);
    expect(invoiceSchema.parse(await again.json())).toEqual({ ...made, projectId: null });
  });

  test('refuses other values or another file under a used idempotency key, and keeps the first invoice', async ({
    server,
    desk,
  }) => {
    const key = randomUUID();
    expect((await desk.sendKeyed(key)).status).toBe(201);
    for (const other of [{ amount: '7,00' }, { file: pdfFile(pdfOf(101)) }]) {
      expect(await errorOf(await desk.sendKeyed(key, other))).toMatchObject({
        status: 422,
        message: ERRORS.idempotency_key_reused.message,
      });
    }
    expect((await desk.sendKeyed(key)).status).toBe(201);
    expect(await storedPaths(server, desk.customer)).toHaveLength(1);
  });

  test('reports each missing field with its own message', async ({ desk }) => {
    const nothing = { userId: null, projectId: null, amount: null, issueDate: null };
    expect(await errorOf(await desk.create(nothing))).toEqual({
      status: 422,
      code: 'invalid_input',
      message: 'Controlla i campi evidenziati.',
      fields: {
        userId: 'Seleziona un utente',
        projectId: 'Seleziona un progetto',
        amount: 'Importo obbligatorio',
        issueDate: 'Data di emissione obbligatoria',
      },
    });
  });

  test('refuses amounts that are not positive, exceed €1,000,000 or have more than two decimals', async ({
    desk,
  }) => {
    for (const amount of ['0', '-1', 'mille', '1000000,01', '1000000,001', '1e3', 'Infinity']) {
      expect([amount, await errorOf(await desk.create({ amount }))]).toMatchObject([
        amount,
        {
          status: 422,
          message: 'Importo non valido. Deve essere un numero positivo fino a 1.000.000€.',
          fields: { amount: expect.any(String) },
        },
      ]);
    }
    expect(await errorOf(await desk.create({ amount: '10,001' }))).toMatchObject({
      status: 422,
      fields: { amount: 'Al massimo due decimali' },
    });
    expect((await desk.create({ amount: '1.000.000,00' })).status).toBe(201);
  });

  test('refuses issue dates more than three years ago or one year ahead, and a due date before the issue date', async ({
    desk,
  }) => {
    const wrong = ['31/02/2026', 'ieri', addDays(addYears(today, -3), -1), addDays(addYears(today, 1), 1)];
    for (const issueDate of wrong) {
      expect([issueDate, await errorOf(await desk.create({ issueDate }))]).toMatchObject([
        issueDate,
        {
          status: 422,
          message: 'Data di emissione non valida. Deve essere tra 3 anni fa e 1 anno nel futuro.',
          fields: { issueDate: expect.any(String) },
        },
      ]);
    }
    for (const issueDate of [addYears(today, -3), addYears(today, 1)]) {
      expect((await desk.create({ issueDate })).status).toBe(201);
    }
    expect(await errorOf(await desk.create({ dueDate: addDays(today, -1) }))).toMatchObject({
      status: 422,
      fields: { dueDate: 'La scadenza non può precedere la data di emissione.' },
    });
  });

  test('accepts only files of up to 10 MB with the content of a PDF', async ({ server, desk }) => {
    const text = new Uint8Array(new TextEncoder().encode('Gentile cliente, in allegato la fattura.'));
    const late = new Uint8Array(4000);
    late.set(new TextEncoder().encode('%PDF-1.7'), 1020);
    const notPdf = { status: 422, code: 'file_not_pdf', message: 'Solo file PDF sono permessi' };
    const empty = { status: 422, code: 'file_empty', message: 'Il file è vuoto' };
    const tooLarge = {
      status: 413,
      code: 'file_too_large',
      message: 'Il file non può essere più grande di 10MB',
    };
    for (const [file, error] of [
      [pdfFile(text), notPdf],
      [pdfFile(late), notPdf],
      [pdfFile(new Uint8Array(0)), empty],
      [pdfFile(pdfOf(INVOICE_PDF.maxBytes + 1)), tooLarge],
      [pdfFile(pdfOf(INVOICE_PDF.maxBytes * 3)), tooLarge],
    ] as const) {
      const fields = { file: error.message };
      expect(await errorOf(await desk.create({ file }))).toEqual({ ...error, fields });
    }
    expect(await storedPaths(server, desk.customer)).toEqual([]);
    expect(await spentToDate(server, desk.project.id)).toBe('100.00');

    const largest = await desk.create({ file: pdfFile(pdfOf(INVOICE_PDF.maxBytes), 'tutto.bin') });
    expect(largest.status).toBe(201);
    const shifted = new Uint8Array(2000);
    shifted.set(new TextEncoder().encode('%PDF-1.7'), 1000);
    expect((await desk.create({ file: pdfFile(shifted) })).status).toBe(201);
  });

  test('accepts only an existing user and one of their projects', async ({ server, desk }) => {
    const stranger = await server.make.user();
    const foreign = await server.make.project(stranger);
    expect(await errorOf(await desk.create({ userId: 'nessuno' }))).toEqual({
      status: 422,
      code: 'invoice_user',
      message: 'Utente selezionato non valido',
      fields: { userId: 'Utente selezionato non valido' },
    });
    await server.make.sql('update profiles set deleted_at = now(), banned = true where id = $1', [
      stranger.id,
    ]);
    expect(await errorOf(await desk.create({ userId: stranger.id, projectId: foreign.id }))).toMatchObject({
      fields: { userId: 'Utente selezionato non valido' },
    });
    for (const projectId of [1, 'abc', '9'.repeat(20)]) {
      expect(await errorOf(await desk.create({ projectId }))).toEqual({
        status: 422,
        code: 'invoice_project',
        message: 'Progetto selezionato non valido',
        fields: { projectId: 'Progetto selezionato non valido' },
      });
    }
    expect(await errorOf(await desk.create({ projectId: foreign.id }))).toMatchObject({
      status: 422,
      message: "Il progetto selezionato non appartiene all'utente selezionato",
    });
  });

  test('reports the first broken rule in the order of the specification', async ({ desk }) => {
    const file = pdfFile(new Uint8Array(0));
    const broken = { amount: '0', issueDate: '01/01/1990', file, userId: 'nessuno', projectId: 1 };
    const messages = [];
    for (const repaired of [
      {},
      { amount: '10' },
      { amount: '10', issueDate: today },
      { amount: '10', issueDate: today, file: null },
    ]) {
      messages.push((await errorOf(await desk.create({ ...broken, ...repaired }))).message);
    }
    expect(messages).toEqual([
      'Importo non valido. Deve essere un numero positivo fino a 1.000.000€.',
      'Data di emissione non valida. Deve essere tra 3 anni fa e 1 anno nel futuro.',
      'Il file è vuoto',
      'Utente selezionato non valido',
    ]);
  });

  test('refuses unknown fields, duplicate fields and text that is not UTF-8', async ({ desk }) => {
    const unknown = invoiceForm({ userId: desk.customer.id, projectId: desk.project.id });
    unknown.append('status', 'Pagata');
    const send = (body: FormData) => desk.clerk.request('/api/admin/invoices', { method: 'POST', body });
    expect(await errorOf(await send(unknown))).toMatchObject({
      status: 422,
      fields: { status: 'Campo non previsto: status' },
    });
    const twice = invoiceForm({ userId: desk.customer.id, projectId: desk.project.id });
    twice.append('amount', '5');
    expect((await send(twice)).status).toBe(400);
    const broken = await desk.clerk.request('/api/admin/invoices', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: new Uint8Array([
        ...new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="amount"\r\n\r\n'),
        0xc3,
        0x28,
        ...new TextEncoder().encode('\r\n--b--\r\n'),
      ]),
    });
    expect(broken.status).toBe(400);
  });

  test('refuses a field that is longer than any may be', async ({ desk }) => {
    const refused = await errorOf(await desk.create({ description: 'a'.repeat(16_385) }));
    expect(refused).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('takes the empty file that a browser sends while none is chosen for no file', async ({ desk }) => {
    const created = await desk.create({ file: new File([], '') });
    expect(created.status).toBe(201);
    expect(invoiceSchema.parse(await created.json()).fileName).toBeNull();
  });

  test('keeps the project total exact when twelve are created at once', async ({ server, desk }) => {
    await Promise.all(Array.from({ length: 12 }, () => desk.create({ amount: '33,33' })));
    expect(await spentToDate(server, desk.project.id)).toBe('499.96');
    expect(await totalMismatches(server)).toEqual([]);
  });
});

describe('the detail view of an invoice', () => {
  test('has its customer and history, and is not found for an unknown number', async ({ desk }) => {
    const { number } = invoiceSchema.parse(await (await desk.create()).json());
    const shown = await desk.clerk.request(`/api/admin/invoices/${number}`);
    expect(adminInvoiceSchema.parse(await shown.json())).toMatchObject({
      number,
      customer: { id: desk.customer.id, email: desk.customer.email },
      version: 1,
    });
    const history = await desk.clerk.request(`/api/admin/invoices/${number}/events`);
    expect(await history.json()).toMatchObject({
      items: [{ action: 'created', actor: 'Ufficio Fatture', detail: { amount: 1250.5 } }],
    });
    expect((await desk.clerk.request('/api/admin/invoices/FAT0/events')).status).toBe(404);
    expect((await desk.clerk.request('/api/admin/invoices/FAT0')).status).toBe(404);
  });
});
