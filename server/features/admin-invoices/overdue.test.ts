import fc from 'fast-check';
import { beforeEach, expect } from 'vitest';
import { adminInvoiceListSchema } from '#contract/admin-invoices.ts';
import { addDays, todayInRome } from '#contract/dates.ts';
import { test } from '#server/testing/test.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});

/** Days from today to the issue date, and from there to the due date. */
const invoice = fc.record({
  issued: fc.integer({ min: -15, max: 3 }),
  term: fc.option(fc.integer({ min: 0, max: 15 }), { freq: 6 }),
  paid: fc.boolean(),
});

test('the overdue filter lists exactly the unpaid invoices past their due date, by issue date in either direction', async ({
  server,
}) => {
  const customer = await server.make.user();
  const project = await server.make.project(customer);
  const clerk = await server.as(await server.make.invoiceAdmin());
  const numbersOf = async (query: string) => {
    const numbers: string[] = [];
    let next = '';
    do {
      const answer = await clerk.request(`/api/admin/invoices?limit=2&${query}${next}`);
      const { items, nextCursor } = adminInvoiceListSchema.parse(await answer.json());
      numbers.push(...items.map(({ number }) => number));
      next = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    } while (next !== '');
    return numbers;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(invoice, { maxLength: 8 }), async (drawn) => {
      await server.make.sql('delete from invoices');
      const made = [];
      for (const { issued, term, paid } of drawn) {
        const issueDate = addDays(today, issued);
        const dueDate = term === null ? null : addDays(issueDate, term);
        const status = paid ? 'Pagata' : 'Da Pagare';
        made.push(await server.make.invoice(customer, project, { issueDate, dueDate, status }));
      }
      const expected = made
        .filter(({ status, dueDate }) => status === 'Da Pagare' && dueDate !== null && dueDate < today)
        .toSorted((one, other) => other.issueDate.localeCompare(one.issueDate) || other.id - one.id)
        .map(({ invoiceNumber }) => invoiceNumber);
      expect(await numbersOf('status=Scaduta')).toEqual(expected);
      expect(await numbersOf('status=Scaduta&direction=asc')).toEqual(expected.toReversed());
    }),
    { numRuns: 40 },
  );
});
