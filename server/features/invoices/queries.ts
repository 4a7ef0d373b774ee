import { and, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import { type CalendarDate, startOfMonth } from '#contract/dates.ts';
import { MAX_EXPORTED_INVOICES } from '#contract/errors.ts';
import {
  INVOICE_PDF,
  INVOICE_PDF_CACHE_SECONDS,
  type Invoice,
  type InvoiceFilters,
  type InvoiceSummary,
  type InvoiceTotals,
} from '#contract/invoices.ts';
import { parseEuro, toCents, toEuro } from '#contract/money.ts';
import type { UserId } from '#server/auth/actor.ts';
import { customerTotals } from '#server/db/invoice-totals.ts';
import { afterCursor, type Ordering, orderBy, type Page, pageOf } from '#server/db/keyset.ts';
import { fromNumeric } from '#server/db/money.ts';
import { invoices } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded } from '#server/db/search.ts';
import { selectionOf } from '#server/db/selection.ts';
import { AppError } from '#server/errors.ts';
import type { FileAnswer } from '#server/http/file-answer.ts';
import type { SpreadsheetColumn } from '#server/http/spreadsheet.ts';

/** Columns of `Invoice`. */
export const invoiceColumns = {
  number: invoices.invoiceNumber,
  projectId: invoices.projectId,
  projectName: invoices.projectName,
  amount: invoices.amount,
  issueDate: invoices.issueDate,
  dueDate: invoices.dueDate,
  status: invoices.status,
  description: invoices.description,
  fileName: invoices.fileName,
  updatedAt: invoices.updatedAt,
};

const selection = selectionOf(invoiceColumns);

/** Converts a row of `invoiceColumns` to the API's invoice. */
export function presentInvoice<Row extends { amount: string; updatedAt: Date }>(row: Row) {
  return { ...row, amount: fromNumeric(row.amount), updatedAt: row.updatedAt.toISOString() };
}

/**
 * Conditions for the filters shared by customers and the invoice administrator.
 * @param today in Europe/Rome; an unpaid invoice due before it is overdue
 */
export function filterConditions(
  filters: Omit<InvoiceFilters, 'search'>,
  today: CalendarDate,
): (SQL | undefined)[] {
  const { status, projectId, from, to } = filters;
  return [
    // The state is a literal, not a parameter: the partial index on unpaid invoices only applies when the statement
    // shows it.
    status === undefined
      ? undefined
      : sql`${invoices.status} = ${status === 'Pagata' ? sql`'Pagata'` : sql`'Da Pagare'`}`,
    status === 'Scaduta' ? lt(invoices.dueDate, today) : undefined,
    projectId === undefined ? undefined : eq(invoices.projectId, projectId),
    from === undefined ? undefined : gte(invoices.issueDate, from),
    to === undefined ? undefined : lte(invoices.issueDate, to),
  ];
}

/** Condition for the invoices an owner sees: their own, issued up to today (spec §5). */
function visible(userId: UserId, today: CalendarDate): SQL | undefined {
  return and(eq(invoices.userId, userId), lte(invoices.issueDate, today));
}

/** Whether an invoice of the table or view `table` contains a word, or has it as its amount ('1.250,00', '€1250'). */
export function invoiceHolds(table: SQL, word: string): SQL {
  const text = sql`${table}.search_text like ${containsFolded(word)}`;
  const amount = /\s/.test(word) ? null : parseEuro(word);
  return amount === null ? text : sql`(${text} or ${table}.amount = ${amount})`;
}

function ownConditions(userId: UserId, filters: InvoiceFilters, today: CalendarDate): SQL | undefined {
  const { search } = filters;
  const found = search ? containsEachWord(search, (word) => invoiceHolds(sql`${invoices}`, word)) : undefined;
  return and(visible(userId, today), found, ...filterConditions(filters, today));
}

const NEWEST_FIRST: Ordering = {
  name: 'issueDate',
  direction: 'desc',
  key: { expression: sql`${invoices.issueDate}`, type: 'date' },
};
const ID = sql`${invoices.id}`;

/** Count and sums of the selected invoices. */
export const totalColumns = {
  count: sql<number>`count(*)::int`,
  amount: sql<string | null>`sum(${invoices.amount})`,
  paid: sql<string | null>`sum(${invoices.amount}) filter (where ${invoices.status} = 'Pagata')`,
};

/** Count and sums over rows of kept totals (server/db/invoice-totals.ts). */
export const keptTotalColumns = {
  count: sql<number>`coalesce(sum(count), 0)::int`,
  amount: sql<string | null>`sum(amount)`,
  paid: sql<string | null>`sum(amount) filter (where status = 'Pagata')`,
};

/** One row of `totalColumns`. */
export type Sums = { count: number; amount: string | null; paid: string | null };

/**
 * `totalColumns` as one JSON column, so that a page and its totals take one statement. Sums are text, because JSON
 * numbers are not exact.
 */
export function asJsonColumn({ count, amount, paid }: typeof totalColumns): { sums: SQL<Sums> } {
  return {
    sums: sql`json_build_object('count', ${count}, 'amount', (${amount})::text, 'paid', (${paid})::text)`,
  };
}

/** The earlier of two days; `other` when there is no first. */
function earlier(day: CalendarDate | undefined, other: CalendarDate): CalendarDate {
  return day !== undefined && day < other ? day : other;
}

function difference(euro: number, other: number): number {
  return toEuro(toCents(euro) - toCents(other));
}

/** Totals for the API from one row of `totalColumns`; zeros without a row. */
export function presentTotals(row: Sums | null | undefined): { total: number; totals: InvoiceTotals } {
  const amount = fromNumeric(row?.amount ?? null);
  const paid = fromNumeric(row?.paid ?? null);
  return { total: row?.count ?? 0, totals: { amount, paid, unpaid: difference(amount, paid) } };
}

/**
 * One page of the invoices of `userId` issued up to `today`, newest first, with the totals of the whole filtered list.
 */
export async function listInvoices(
  db: Database,
  userId: UserId,
  query: InvoiceFilters & { limit: number; cursor?: string | undefined },
  today: CalendarDate,
): Promise<Page<Invoice> & { totals: InvoiceTotals }> {
  const conditions = ownConditions(userId, query, today);
  const { search, status, projectId, from } = query;
  const sums =
    search || projectId !== undefined || status === 'Scaduta'
      ? db.select(asJsonColumn(totalColumns)).from(invoices).where(conditions)
      : db
          .select(asJsonColumn(keptTotalColumns))
          .from(sql`${customerTotals(userId, { from, to: earlier(query.to, today) })} as totals`)
          .where(status && sql`status = ${status}`);
  const { rows } = await db.execute<{ id: string; issueDate: string; total: Sums | null }>(sql`
    select ${invoices.id} as "id", ${selection.columns}, (${sums}) as "total"
    from invoices
    where ${and(conditions, afterCursor(NEWEST_FIRST, ID, query.cursor))}
    order by ${orderBy(NEWEST_FIRST, ID)}
    limit ${query.limit + 1}`);
  const page = await pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted: sums,
    none: null,
    positionOf: (row) => ({ value: row.issueDate, id: Number(row.id) }),
    present: (row) => presentInvoice(selection.read(row)),
  });
  return { ...page, ...presentTotals(page.total) };
}

/** The columns of an export. */
export const invoiceSheet: SpreadsheetColumn<Invoice>[] = [
  { header: 'Fattura', type: 'text', width: 26, value: (invoice) => invoice.number },
  { header: 'Progetto', type: 'text', width: 32, value: (invoice) => invoice.projectName },
  { header: 'Data emissione', type: 'date', width: 16, value: (invoice) => invoice.issueDate },
  { header: 'Scadenza', type: 'date', width: 16, value: (invoice) => invoice.dueDate },
  { header: 'Importo (€)', type: 'money', width: 16, value: (invoice) => invoice.amount },
  { header: 'Stato', type: 'text', width: 14, value: (invoice) => invoice.status },
  { header: 'Descrizione', type: 'text', width: 48, value: (invoice) => invoice.description },
];

/**
 * All invoices that match `filters`, newest first, for an export.
 * @throws AppError invoice_export_too_large when there are more than `most`
 */
export async function exportInvoices(
  db: Database,
  userId: UserId,
  filters: InvoiceFilters,
  today: CalendarDate,
  { most = MAX_EXPORTED_INVOICES } = {},
): Promise<Invoice[]> {
  const rows = await db
    .select(invoiceColumns)
    .from(invoices)
    .where(ownConditions(userId, filters, today))
    .orderBy(orderBy(NEWEST_FIRST, ID))
    .limit(most + 1);
  if (rows.length > most) throw new AppError('invoice_export_too_large');
  return rows.map(presentInvoice);
}

/** How the PDF of an invoice is sent; the invoice's own name for it goes before this one. */
export const PDF_ANSWER = {
  name: INVOICE_PDF.name,
  type: 'application/pdf',
  disposition: 'attachment',
  maxAge: INVOICE_PDF_CACHE_SECONDS,
} as const satisfies FileAnswer;

/**
 * Where the file of a visible invoice of `userId` is; null when there is no such invoice, both fields null without a
 * file.
 */
export async function findInvoiceFile(
  db: Database,
  userId: UserId,
  number: string,
  today: CalendarDate,
): Promise<{ fileName: string | null; fileUrl: string | null } | null> {
  const [row] = await db
    .select({ fileName: invoices.fileName, fileUrl: invoices.fileUrl })
    .from(invoices)
    .where(and(visible(userId, today), eq(invoices.invoiceNumber, number)));
  return row ?? null;
}

const MONTHS_SHOWN = 12;

/** What `userId` has spent and owes up to `today`, by state, by month of issue and by project. */
export async function summariseInvoices(
  db: Database,
  userId: UserId,
  today: CalendarDate,
): Promise<InvoiceSummary> {
  const firstMonth = startOfMonth(today, 1 - MONTHS_SHOWN);
  const kept = sql`${customerTotals(userId, { to: today })} as totals`;
  const [[all], byMonth, [overdue], byProject] = await Promise.all([
    db
      .select({
        ...keptTotalColumns,
        paidCount: sql<number>`coalesce(sum(count) filter (where status = 'Pagata'), 0)::int`,
      })
      .from(kept),
    db
      .select({ month: sql<string>`to_char(month, 'YYYY-MM')`, ...keptTotalColumns })
      .from(kept)
      .where(sql`month >= ${firstMonth}::date`)
      .groupBy(sql`month`),
    db
      .select({ count: totalColumns.count, amount: totalColumns.amount })
      .from(invoices)
      .where(and(visible(userId, today), ...filterConditions({ status: 'Scaduta' }, today))),
    // Projects store their total spend, so only invoices not yet issued and those of deleted projects have to be
    // summed.
    db.execute<{
      projectId: number | null;
      projectName: string;
      location: string | null;
      startDate: CalendarDate | null;
      endDate: CalendarDate | null;
      amount: string;
    }>(sql`
      select p.id as "projectId", p.name as "projectName", p.location,
        p.start_date::text as "startDate", p.end_date::text as "endDate",
        p.spent_to_date - p.opening_spent - coalesce(later.amount, 0) as "amount"
      from projects p
      left join (
        select project_id, sum(amount) as amount from invoices
        where user_id = ${userId} and issue_date > ${today}::date group by project_id
      ) later on later.project_id = p.id
      where p.user_id = ${userId} and p.spent_to_date - p.opening_spent > coalesce(later.amount, 0)
      union all
      select null, project_name, null, null, null, sum(amount) from invoices
      where user_id = ${userId} and project_id is null and issue_date <= ${today}::date group by project_name
      order by "amount" desc`),
  ]);
  const { total, totals } = presentTotals(all);
  const paidCount = all?.paidCount ?? 0;
  const sums = new Map(byMonth.map((row) => [row.month, row]));
  return {
    total: { count: total, amount: totals.amount },
    paid: { count: paidCount, amount: totals.paid },
    unpaid: { count: total - paidCount, amount: totals.unpaid },
    overdue: { count: overdue?.count ?? 0, amount: fromNumeric(overdue?.amount ?? null) },
    months: Array.from({ length: MONTHS_SHOWN }, (_, index) => {
      const name = startOfMonth(today, index + 1 - MONTHS_SHOWN).slice(0, 7);
      const row = sums.get(name);
      const paid = fromNumeric(row?.paid ?? null);
      return { month: name, paid, unpaid: difference(fromNumeric(row?.amount ?? null), paid) };
    }),
    projects: byProject.rows.map(({ projectId, amount, ...named }) => ({
      ...named,
      projectId: projectId === null ? null : Number(projectId),
      amount: fromNumeric(amount),
    })),
  };
}
