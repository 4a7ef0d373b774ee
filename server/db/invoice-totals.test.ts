import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import { test } from '#server/testing/test.ts';
import { allCustomersOverdueTotals, allCustomersTotals, customerTotals } from './invoice-totals.ts';
import { readAs, SYSTEM } from './scope.ts';

const DAYS = 100;
const today = todayInRome();
/** 100 days include at least three starts and ends of months. */
const day = fc.integer({ min: -DAYS, max: 5 }).map((offset) => addDays(today, offset));
const end = fc.option(day, { nil: undefined });

describe('kept totals', () => {
  test('of any span equal the sums of its invoices', async ({ server }) => {
    const customer = await server.make.user();
    const project = await server.make.project(customer);
    const others = await server.make.user();
    const theirs = await server.make.project(others);
    for (let offset = -DAYS; offset <= 5; offset += 3) {
      const [owner, at] = offset % 2 === 0 ? [customer, project] : [others, theirs];
      const issueDate = addDays(today, offset);
      await server.make.invoice(owner, at, {
        euro: 1000 + offset,
        issueDate,
        dueDate: addDays(issueDate, 30),
        status: offset % 4 === 0 ? 'Pagata' : 'Da Pagare',
      });
    }
    const db = readAs(server.services.pool, SYSTEM);
    const sumOf = async (rows: ReturnType<typeof sql>) =>
      (
        await db.execute(sql`select coalesce(sum(count), 0)::int as count,
          coalesce(sum(amount), 0)::numeric(16, 2) as amount,
          coalesce(sum(amount) filter (where status = 'Pagata'), 0)::numeric(16, 2) as paid from ${rows} as totals`)
      ).rows;
    const invoicesThat = (condition: ReturnType<typeof sql>) =>
      sumOf(sql`(select 1 as count, amount, status from invoices where ${condition})`);

    await fc.assert(
      fc.asyncProperty(end, end, async (from, to) => {
        const inSpan = sql`issue_date >= ${from ?? '-infinity'}::date and issue_date <= ${to ?? 'infinity'}::date`;
        expect(await sumOf(allCustomersTotals({ from, to }))).toEqual(await invoicesThat(inSpan));
        expect(await sumOf(customerTotals(customer.id, { from, to }))).toEqual(
          await invoicesThat(sql`user_id = ${customer.id} and ${inSpan}`),
        );
      }),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(day, async (date) => {
        expect(await sumOf(allCustomersOverdueTotals(date))).toEqual(
          await invoicesThat(sql`status = 'Da Pagare' and due_date < ${date}::date`),
        );
      }),
      { numRuns: 20 },
    );
  });
});
