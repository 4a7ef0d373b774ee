import { type SQL, sql } from 'drizzle-orm';
import type { CalendarDate } from '#contract/dates.ts';
import { addDays } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';

/** Days of issue, both included; an end that is left out is open. */
type Span = { from?: CalendarDate | undefined; to?: CalendarDate | undefined };

/*
 * Both answer a subquery of rows (month, status, with_file, count, amount), to be summed and filtered further; how many
 * rows it reads depends on the months or days in the span, not on the number of invoices.
 */

function firstOfMonth(day: CalendarDate): string {
  return `${day.slice(0, 7)}-01`;
}

function firstOfNextMonth(day: CalendarDate): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** Totals of one customer's invoices: of whole months as they are kept, of the months cut by the span from the invoices. */
export function customerTotals(userId: UserId, { from, to }: Span): SQL {
  // A span that begins with a month, or ends with one, cuts none there.
  const head = from === undefined || from.endsWith('-01') ? undefined : firstOfNextMonth(from);
  const firstWhole = head ?? from;
  const firstCut = to === undefined ? undefined : firstOfMonth(addDays(to, 1));
  const invoices = (range: SQL) => sql`
    select date_trunc('month', issue_date)::date as month, status, file_url is not null as with_file,
      count(*), sum(amount) as amount
    from invoices where user_id = ${userId} and ${range} group by 1, 2, 3`;

  if (from !== undefined && firstWhole !== undefined && firstCut !== undefined && firstWhole > firstCut) {
    return sql`(${invoices(sql`issue_date >= ${from}::date and issue_date <= ${to}::date`)})`;
  }
  const parts = [
    sql`select month, status, with_file, count, amount from invoice_totals where user_id = ${userId}
      ${firstWhole === undefined ? sql`` : sql`and month >= ${firstWhole}::date`}
      ${firstCut === undefined ? sql`` : sql`and month < ${firstCut}::date`}`,
    ...(head === undefined
      ? []
      : [invoices(sql`issue_date >= ${from}::date and issue_date < ${head}::date`)]),
    ...(firstCut === undefined || to === undefined || to < firstCut
      ? []
      : [invoices(sql`issue_date >= ${firstCut}::date and issue_date <= ${to}::date`)]),
  ];
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** Totals of everybody's invoices by day of issue. Needs the invoice administrator's scope. */
export function everybodysTotals({ from, to }: Span): SQL {
  return sql`(
    select date_trunc('month', issue_date)::date as month, status, with_file, count, amount from invoice_day_totals
    where true ${from === undefined ? sql`` : sql`and issue_date >= ${from}::date`}
      ${to === undefined ? sql`` : sql`and issue_date <= ${to}::date`})`;
}

/** Totals of everybody's unpaid invoices whose due date is before `today`. Needs the invoice administrator's scope. */
export function everybodysOverdueTotals(today: CalendarDate): SQL {
  return sql`(select 'Da Pagare' as status, with_file, count, amount from unpaid_invoice_totals
    where due_date < ${today}::date)`;
}
