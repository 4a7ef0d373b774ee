import { type SQL, sql } from 'drizzle-orm';
import { addDays, type CalendarDate, startOfMonth } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';

/** A range of days, both ends included; a missing end is open. */
type Span = { from?: CalendarDate | undefined; to?: CalendarDate | undefined };

/*
 * Each of these functions returns a subquery whose rows are to be filtered further and summed; rows to be subtracted
 * are negative. The number of rows it reads depends on the months in the span, not on the number of invoices.
 */

/** The condition that `column` is on or after `first` and before `end`, each if given. */
function within(column: SQL, first: string | undefined, end: string | undefined): SQL {
  return sql`${first === undefined ? sql`true` : sql`${column} >= ${first}::date`}
    ${end === undefined ? sql`` : sql`and ${column} < ${end}::date`}`;
}

function signed(figure: SQL, times: 1 | -1): SQL {
  return times === 1 ? figure : sql`-${figure}`;
}

/** A span that ends later in a month than this day reads the whole month and subtracts the days after its end. */
const LATE_IN_MONTH = 15;

/**
 * Totals of the whole months in a span, and of the days in the partial months at its ends.
 * @param months reads totals by `month`
 * @param day the column by which `days` selects
 * @param days reads the same totals by day; `times` is -1 to subtract them
 */
function ofSpan(
  { from, to }: Span,
  months: (range: SQL) => SQL,
  day: SQL,
  days: (range: SQL, times: 1 | -1) => SQL,
): SQL {
  const month = sql`month`;
  // A span that starts with the first day of a month, or ends with the last, has no partial month at that end.
  const head = from === undefined || from.endsWith('-01') ? undefined : startOfMonth(from, 1);
  const firstWhole = head ?? from;
  const end = to && addDays(to, 1);
  const firstCut = end && startOfMonth(end);
  if (firstWhole !== undefined && firstCut !== undefined && firstWhole > firstCut) {
    return sql`(${days(within(day, from, end), 1)})`;
  }
  const surplus =
    to && end !== firstCut && Number(to.slice(-2)) > LATE_IN_MONTH ? startOfMonth(to, 1) : undefined;
  const parts = [
    months(within(month, firstWhole, surplus ?? firstCut)),
    ...(head === undefined ? [] : [days(within(day, from, head), 1)]),
    ...(surplus === undefined ? [] : [days(within(day, end, surplus), -1)]),
    ...(surplus !== undefined || end === firstCut ? [] : [days(within(day, firstCut, end), 1)]),
  ];
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** Totals of one customer's invoices: rows (month, status, with_file, count, amount). */
export function customerTotals(userId: UserId, span: Span): SQL {
  return ofSpan(
    span,
    (range) => sql`
      select month, status, with_file, count, amount from invoice_totals where user_id = ${userId} and ${range}`,
    sql`issue_date`,
    (range, times) => sql`
      select date_trunc('month', issue_date)::date as month, status, file_url is not null as with_file,
        ${signed(sql`count(*)`, times)} as count, ${signed(sql`sum(amount)`, times)} as amount
      from invoices where user_id = ${userId} and ${range} group by 1, 2, 3`,
  );
}

/** Totals of everybody's invoices by day of issue: rows (status, with_file, count, amount). For the invoice administrator. */
export function allCustomersTotals(span: Span): SQL {
  return ofSpan(
    span,
    (range) => sql`select status, with_file, count, amount from invoice_month_totals where ${range}`,
    sql`issue_date`,
    (range, times) => sql`
      select status, with_file, ${signed(sql`count`, times)} as count, ${signed(sql`amount`, times)} as amount
      from invoice_day_totals where ${range}`,
  );
}

/** Totals of everybody's unpaid invoices whose due date is before `today`; as {@link allCustomersTotals}. */
export function allCustomersOverdueTotals(today: CalendarDate): SQL {
  return ofSpan(
    { to: addDays(today, -1) },
    (range) =>
      sql`select 'Da Pagare' as status, with_file, count, amount from unpaid_invoice_month_totals where ${range}`,
    sql`due_date`,
    (range, times) => sql`
      select 'Da Pagare' as status, with_file, ${signed(sql`count`, times)} as count,
        ${signed(sql`amount`, times)} as amount
      from unpaid_invoice_totals where ${range}`,
  );
}
