import { beforeEach, describe, expect } from 'vitest';
import { adminInvoiceSchema, type InvoiceEdit, invoiceStatusChangeSchema } from '#contract/admin-invoices.ts';
import { addDays, addYears, todayInRome } from '#contract/dates.ts';
import { conflictSchema } from '#contract/errors.ts';
import { errorOf } from '#server/testing/client.ts';
import { spentToDate, storedPaths, totalMismatches } from '#server/testing/invoice-facts.ts';
import { pdfFile } from '#server/testing/invoice-form.ts';
import { duringTransaction } from '#server/testing/locks.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { test as base } from '#server/testing/test.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});

/** An invoice of €100, its customer with two projects, and the invoice administrator. */
const test = base.extend('desk', async ({ server }) => {
  const customer = await server.make.user();
  const project = await server.make.project(customer, { name: 'Prima', openingSpent: '1.00' });
  const other = await server.make.project(customer, { name: 'Seconda' });
  const row = await server.make.invoice(customer, project, { euro: 100 });
  const number = row.invoiceNumber;
  const clerk = await server.as(await server.make.invoiceAdmin());
  const path = `/api/admin/invoices/${number}`;
  const unchanged: InvoiceEdit = {
    version: 1,
    projectId: project.id,
    amount: 100,
    issueDate: today,
    dueDate: addDays(today, 30),
    description: null,
  };
  const edit = (values: Partial<Record<keyof InvoiceEdit, unknown>>) =>
    clerk.send('PATCH', path, { ...unchanged, ...values });
  const mark = (numbers: string[], status: string, options?: { skipDeleted: boolean }) =>
    clerk.send('PUT', '/api/admin/invoices/status', { numbers, status, ...options });
  const history = async () =>
    (
      (await (await clerk.request(`${path}/events`)).json()) as {
        items: { action: string; detail: unknown }[];
      }
    ).items;
  return { customer, project, other, number, clerk, path, edit, mark, history };
});

describe('an edit of an invoice', () => {
  test('updates the totals of both projects, and is recorded with old and new values', async ({
    server,
    desk,
  }) => {
    const answer = await desk.edit({
      projectId: desk.other.id,
      amount: 250.75,
      issueDate: addDays(today, -2),
      description: ' Vitto ',
    });
    expect(adminInvoiceSchema.parse(await answer.json())).toMatchObject({
      projectId: desk.other.id,
      projectName: 'Seconda',
      amount: 250.75,
      description: 'Vitto',
      version: 2,
    });
    expect(await spentToDate(server, desk.project.id)).toBe('1.00');
    expect(await spentToDate(server, desk.other.id)).toBe('250.75');
    expect(await desk.history()).toMatchObject([
      {
        action: 'updated',
        detail: {
          amount: [100, 250.75],
          issueDate: [today, addDays(today, -2)],
          projectName: ['Prima', 'Seconda'],
          description: [null, 'Vitto'],
        },
      },
    ]);
  });

  test('is refused from an outdated version, and not recorded if it changes nothing', async ({
    server,
    desk,
  }) => {
    const due = adminInvoiceSchema.parse(await (await desk.edit({ amount: 101 })).json());
    expect(due.version).toBe(2);
    const late = await desk.edit({ amount: 102 });
    expect(late.status).toBe(409);
    expect(conflictSchema(adminInvoiceSchema).parse(await late.json()).current).toEqual(due);
    const same = await desk.edit({ version: 2, amount: 101 });
    expect(adminInvoiceSchema.parse(await same.json()).version).toBe(2);
    expect(await desk.history()).toHaveLength(1);
    expect(await spentToDate(server, desk.project.id)).toBe('102.00');
  });

  test('is recorded when both projects have the same name', async ({ server, desk }) => {
    const namesake = await server.make.project(desk.customer, { name: 'Prima' });
    await desk.edit({ projectId: namesake.id });
    expect(await desk.history()).toMatchObject([
      { action: 'updated', detail: { projectId: [desk.project.id, namesake.id] } },
    ]);
  });

  test('is a conflict if its project was deleted meanwhile, and invalid with another deleted project', async ({
    server,
    desk,
  }) => {
    const elsewhere = await server.make.project(desk.customer);
    const owner = await server.as(desk.customer);
    expect((await owner.request(`/api/projects/${elsewhere.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await errorOf(await desk.edit({ projectId: elsewhere.id }))).toMatchObject({
      status: 422,
      fields: { projectId: 'Progetto selezionato non valido' },
    });
    expect((await owner.request(`/api/projects/${desk.project.id}`, { method: 'DELETE' })).status).toBe(204);
    const late = await desk.edit({ amount: 102 });
    expect(late.status).toBe(409);
    const { current } = conflictSchema(adminInvoiceSchema).parse(await late.json());
    expect(current).toMatchObject({ projectId: null, projectName: 'Prima', amount: 100 });
    expect((await desk.edit({ version: current.version, projectId: null, amount: 102 })).status).toBe(200);
  });

  test('to a project being deleted at that moment is refused with a message on the field', async ({
    server,
    desk,
  }) => {
    const refused = await duringTransaction(
      server,
      ['delete from projects where id = $1', [desk.other.id]],
      1,
      () => desk.edit({ projectId: desk.other.id }),
    );
    expect(await errorOf(refused)).toMatchObject({
      status: 422,
      fields: { projectId: 'Progetto selezionato non valido' },
    });
    expect(await spentToDate(server, desk.project.id)).toBe('101.00');
  });

  test('succeeds once when two of the same version arrive at the same time', async ({ server, desk }) => {
    const answers = await Promise.all([desk.edit({ amount: 10 }), desk.edit({ amount: 20 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await totalMismatches(server)).toEqual([]);
  });

  test('is validated like a new invoice', async ({ server, desk }) => {
    const foreign = await server.make.project(await server.make.user());
    const wrong = [
      [{ amount: 0 }, 'amount', 'Importo non valido. Deve essere un numero positivo fino a 1.000.000€.'],
      [{ amount: 1.005 }, 'amount', 'Al massimo due decimali'],
      [{ amount: '' }, 'amount', 'Importo obbligatorio'],
      [
        { issueDate: addDays(addYears(today, -3), -1) },
        'issueDate',
        'Data di emissione non valida. Deve essere tra 3 anni fa e 1 anno nel futuro.',
      ],
      [{ dueDate: addDays(today, -1) }, 'dueDate', 'La scadenza non può precedere la data di emissione.'],
      [{ projectId: 1 }, 'projectId', 'Progetto selezionato non valido'],
      [
        { projectId: foreign.id },
        'projectId',
        "Il progetto selezionato non appartiene all'utente selezionato",
      ],
    ] as const;
    for (const [values, field, message] of wrong) {
      expect([field, await errorOf(await desk.edit(values))]).toMatchObject([
        field,
        { status: 422, fields: { [field]: message } },
      ]);
    }
    expect(await spentToDate(server, desk.project.id)).toBe('101.00');
  });

  test('keeps an issue date of four years ago, but refuses another one out of range and a due date before it', async ({
    server,
    desk,
  }) => {
    const issueDate = addYears(today, -4);
    const { invoiceNumber } = await server.make.invoice(desk.customer, desk.project, {
      issueDate,
      dueDate: issueDate,
    });
    const edit = {
      version: 1,
      projectId: desk.project.id,
      amount: 90,
      issueDate,
      dueDate: null,
      description: null,
    };
    const path = `/api/admin/invoices/${invoiceNumber}`;
    for (const [values, field] of [
      [{ issueDate: addDays(issueDate, 1) }, 'issueDate'],
      [{ dueDate: addDays(issueDate, -1) }, 'dueDate'],
    ] as const) {
      const refused = await errorOf(await desk.clerk.send('PATCH', path, { ...edit, ...values }));
      expect(Object.keys(refused.fields ?? {})).toEqual([field]);
    }
    const answer = await desk.clerk.send('PATCH', path, edit);
    expect(adminInvoiceSchema.parse(await answer.json())).toMatchObject({ amount: 90, issueDate });
  });

  test('keeps the name of a deleted project', async ({ server, desk }) => {
    const owner = await server.as(desk.customer);
    expect((await owner.request(`/api/projects/${desk.project.id}`, { method: 'DELETE' })).status).toBe(204);
    const kept = await desk.edit({ projectId: null, amount: 7 });
    expect(adminInvoiceSchema.parse(await kept.json())).toMatchObject({
      projectId: null,
      projectName: 'Prima',
      amount: 7,
    });
    expect(await totalMismatches(server)).toEqual([]);
  });
});

describe('a status change', () => {
  test('marks many invoices as paid or unpaid, and is recorded only for those it changes', async ({
    server,
    desk,
  }) => {
    const second = await server.make.invoice(desk.customer, desk.project, { status: 'Pagata' });
    const both = [desk.number, second.invoiceNumber, desk.number];
    const answer = await desk.mark(both, 'Pagata');
    const { numbers = [], ...change } = invoiceStatusChangeSchema.parse(await answer.json());
    expect(change).toEqual({ status: 'Pagata', changed: 1, deleted: 0 });
    // Undone with exactly those that were marked, the other one stays as it was.
    expect(numbers).toEqual([desk.number]);
    expect((await desk.mark(numbers, 'Da Pagare')).ok).toBe(true);
    const untouched = await desk.clerk.request(`/api/admin/invoices/${second.invoiceNumber}`);
    expect(adminInvoiceSchema.parse(await untouched.json()).status).toBe('Pagata');
    await desk.mark(both, 'Pagata');
    const back = await desk.mark(both, 'Da Pagare');
    expect(await back.json()).toEqual({
      status: 'Da Pagare',
      changed: 2,
      numbers: [desk.number, second.invoiceNumber],
      deleted: 0,
    });
    expect((await desk.history()).map(({ detail }) => detail)).toEqual([
      { status: ['Da Pagare', 'Pagata'] },
      { status: ['Pagata', 'Da Pagare'] },
      { status: ['Da Pagare', 'Pagata'] },
      { status: ['Pagata', 'Da Pagare'] },
    ]);
  });

  test('changes nothing if a number is unknown, the status is invalid or the list is empty', async ({
    desk,
  }) => {
    expect((await desk.mark([desk.number, 'FAT0'], 'Pagata')).status).toBe(404);
    expect((await desk.mark([desk.number], 'Rimborsata')).status).toBe(422);
    expect((await desk.mark([], 'Pagata')).status).toBe(422);
    const shown = adminInvoiceSchema.parse(await (await desk.clerk.request(desk.path)).json());
    expect(shown.status).toBe('Da Pagare');
    expect(await desk.history()).toEqual([]);
  });

  test('is taken back for the invoices that are left, and says how many were deleted', async ({
    server,
    desk,
  }) => {
    const doomed = (await server.make.invoice(desk.customer, desk.project)).invoiceNumber;
    const both = [desk.number, doomed];
    await desk.mark(both, 'Pagata');
    expect((await desk.clerk.request(`/api/admin/invoices/${doomed}`, { method: 'DELETE' })).status).toBe(
      204,
    );
    expect((await desk.mark(both, 'Da Pagare')).status).toBe(404);
    expect(await (await desk.mark(both, 'Da Pagare', { skipDeleted: true })).json()).toEqual({
      status: 'Da Pagare',
      changed: 1,
      numbers: [desk.number],
      deleted: 1,
    });
    expect((await desk.history()).at(-1)?.detail).toEqual({ status: ['Pagata', 'Da Pagare'] });
    expect(await (await desk.mark([doomed], 'Da Pagare', { skipDeleted: true })).json()).toMatchObject({
      changed: 0,
      deleted: 1,
    });
  });

  test('does not deadlock when the same invoices are selected in opposite orders', async ({
    server,
    desk,
  }) => {
    const numbers = [desk.number];
    for (let index = 0; index < 6; index += 1) {
      numbers.push((await server.make.invoice(desk.customer, desk.project)).invoiceNumber);
    }
    const answers = await Promise.all([
      desk.mark(numbers, 'Pagata'),
      desk.mark(numbers.toReversed(), 'Da Pagare'),
      desk.mark(numbers, 'Pagata'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('a deletion of an invoice', () => {
  test("subtracts its amount from the project total, removes it from the customer's list and is recorded", async ({
    server,
    desk,
  }) => {
    expect((await desk.clerk.request(desk.path, { method: 'DELETE' })).status).toBe(204);
    expect((await desk.clerk.request(desk.path, { method: 'DELETE' })).status).toBe(404);
    expect(await spentToDate(server, desk.project.id)).toBe('1.00');
    const owner = await server.as(desk.customer);
    expect(await (await owner.request('/api/invoices')).json()).toMatchObject({ total: 0 });
    expect(await desk.history()).toMatchObject([{ action: 'deleted', detail: { amount: 100 } }]);
  });

  test('is refused to clerk and customer if the invoice, its state or its PDF has changed since they saw it', async ({
    server,
    desk,
  }) => {
    const owner = await server.as(desk.customer);
    const shown = async () =>
      adminInvoiceSchema.parse(await (await desk.clerk.request(desk.path)).json()).updatedAt;
    const removes = (from: string) =>
      [
        () => desk.clerk.request(`${desk.path}?from=${from}`, { method: 'DELETE' }),
        () => owner.request(`/api/invoices/${desk.number}?from=${from}`, { method: 'DELETE' }),
      ] as const;
    const upload = () => {
      const body = new FormData();
      body.append('file', pdfFile(pdfOf(100), 'collega.pdf'));
      return desk.clerk.request(`${desk.path}/file`, { method: 'PUT', body });
    };
    for (const [change, current] of [
      [() => desk.edit({ amount: 150 }), { amount: 150 }],
      [() => desk.mark([desk.number], 'Pagata'), { status: 'Pagata' }],
      [upload, { fileName: 'collega.pdf' }],
    ] as const) {
      const from = await shown();
      expect((await change()).status).toBe(200);
      for (const remove of removes(from)) {
        const refused = await remove();
        expect(refused.status).toBe(409);
        expect(await refused.json()).toMatchObject({ error: { code: 'conflict' }, current });
      }
    }
    // No row has these times, and PostgreSQL does not even read them.
    for (const from of ['0000-01-01T00:00:00Z', `${today}T00:00:00.${'0'.repeat(150)}Z`]) {
      for (const remove of removes(from)) expect((await remove()).status).toBe(409);
    }
    expect(await spentToDate(server, desk.project.id)).toBe('151.00');
    expect(await storedPaths(server, desk.customer)).toHaveLength(1);

    const [, removeOwn] = removes(await shown());
    expect((await removeOwn()).status).toBe(204);
    expect(await storedPaths(server, desk.customer)).toEqual([]);
    for (const remove of removes(`${today}T00:00:00.000Z`)) expect((await remove()).status).toBe(404);
  });
});
