import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { adminInvoiceListSchema } from '#contract/admin-invoices.ts';
import { todayInRome } from '#contract/dates.ts';
import { invoiceSchema } from '#contract/invoices.ts';
import { spentToDate, storedPaths, totalMismatches } from '#server/testing/invoice-facts.ts';
import { invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { test } from '#server/testing/test.ts';

type Command =
  | { kind: 'create'; project: number; cents: number; file: boolean }
  | { kind: 'edit'; pick: number; project: number; cents: number }
  | { kind: 'status'; pick: number; paid: boolean }
  | { kind: 'file'; pick: number; bytes: number }
  | { kind: 'removeFile'; pick: number }
  | { kind: 'delete'; pick: number; byOwner: boolean };

const cents = fc.integer({ min: 1, max: 100_000_000 });
const project = fc.integer({ min: 0, max: 1 });
const pick = fc.nat({ max: 50 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create'), project, cents, file: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit'), pick, project, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('status'), pick, paid: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('file'), pick, bytes: fc.integer({ min: 10, max: 9000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeFile'), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), pick, byOwner: fc.boolean() }) },
);

describe('concurrent changes by invoice administrator and customer', () => {
  test('keep totals exact, orphan no file and lose no invoice', async ({ server }) => {
    const admin = await server.make.invoiceAdmin();
    const clerk = await server.as(admin);
    const json = { headers: { 'Content-Type': 'application/json' } };

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { maxLength: 5 }), { minLength: 2, maxLength: 4 }),
        async (clients) => {
          const customer = await server.make.user();
          const owner = await server.as(customer);
          const projects = [
            await server.make.project(customer, { openingSpent: '12.34' }),
            await server.make.project(customer),
          ];
          const created = new Set<string>();
          const deleted = new Set<string>();
          for (const at of projects) {
            const form = invoiceForm({ userId: customer.id, projectId: at.id, file: pdfFile(pdfOf(20)) });
            const answer = await clerk.request('/api/admin/invoices', { method: 'POST', body: form });
            created.add(invoiceSchema.parse(await answer.json()).number);
          }
          const chosen = (index: number) => [...created][index % created.size] ?? '';
          const projectId = (index: number) => projects[index]?.id ?? 0;

          async function run(step: Command): Promise<number> {
            if (step.kind === 'create') {
              const amount = (step.cents / 100).toFixed(2).replace('.', ',');
              const file = step.file ? pdfFile(pdfOf(50)) : null;
              const form = invoiceForm({
                userId: customer.id,
                projectId: projectId(step.project),
                amount,
                file,
              });
              const answer = await clerk.request('/api/admin/invoices', { method: 'POST', body: form });
              if (answer.ok) created.add(invoiceSchema.parse(await answer.json()).number);
              return answer.status;
            }
            const number = chosen(step.pick);
            const path = `/api/admin/invoices/${number}`;
            if (step.kind === 'edit') {
              const shown = await clerk.request(path);
              if (!shown.ok) return shown.status;
              const { version } = (await shown.json()) as { version: number };
              const edit = {
                version,
                projectId: projectId(step.project),
                amount: step.cents / 100,
                issueDate: todayInRome(),
                dueDate: null,
                description: null,
              };
              return (await clerk.request(path, { method: 'PATCH', ...json, body: JSON.stringify(edit) }))
                .status;
            }
            if (step.kind === 'status') {
              const body = JSON.stringify({ numbers: [number], status: step.paid ? 'Pagata' : 'Da Pagare' });
              return (await clerk.request('/api/admin/invoices/status', { method: 'PUT', ...json, body }))
                .status;
            }
            if (step.kind === 'file') {
              const body = new FormData();
              body.append('file', pdfFile(pdfOf(step.bytes)));
              return (await clerk.request(`${path}/file`, { method: 'PUT', body })).status;
            }
            if (step.kind === 'removeFile') {
              return (await clerk.request(`${path}/file`, { method: 'DELETE' })).status;
            }
            const answer = step.byOwner
              ? await owner.request(`/api/invoices/${number}`, { method: 'DELETE' })
              : await clerk.request(path, { method: 'DELETE' });
            if (answer.ok) deleted.add(number);
            return answer.status;
          }

          const answers = await Promise.all(
            clients.map(async (steps) => {
              const statuses = [];
              for (const step of steps) statuses.push(await run(step));
              return statuses;
            }),
          );
          expect(answers.flat().filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);

          const listed = await clerk.request(`/api/admin/invoices?userId=${customer.id}&limit=100`);
          const { items, totals } = adminInvoiceListSchema.parse(await listed.json());
          const left = [...created].filter((number) => !deleted.has(number)).sort();
          expect(items.map(({ number }) => number).sort()).toEqual(left);
          const { rows: filed } = await server.make.sql<{ number: string; path: string }>(
            `select invoice_number as number, file_url as path from invoices
             where user_id = $1 and file_url is not null`,
            [customer.id],
          );
          const withFile = items.filter(({ fileName }) => fileName !== null).map(({ number }) => number);
          expect(filed.map(({ number }) => number).sort()).toEqual(withFile.sort());
          expect(await storedPaths(server, customer)).toEqual(filed.map(({ path }) => path).sort());
          expect(await totalMismatches(server)).toEqual([]);
          const spent = await Promise.all(projects.map(({ id }) => spentToDate(server, id)));
          const inCents = spent.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
          expect(inCents - 1234).toBe(Math.round((totals?.amount ?? 0) * 100));
        },
      ),
      { numRuns: 12 },
    );
  });
});
