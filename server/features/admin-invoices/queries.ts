import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  AdminInvoice,
  AdminInvoiceQuery,
  AdminInvoiceSort,
  InvoiceEvent,
} from '#contract/admin-invoices.ts';
import { MAX_COUNTED } from '#contract/admin-invoices.ts';
import type { CalendarDate } from '#contract/dates.ts';
import { MAX_EXPORTED_INVOICES } from '#contract/errors.ts';
import type { InvoiceTotals } from '#contract/invoices.ts';
import { searchWords } from '#contract/lists.ts';
import type { UserId } from '#server/auth/actor.ts';
import { allCustomersOverdueTotals, allCustomersTotals, customerTotals } from '#server/db/invoice-totals.ts';
import {
  afterCursor,
  literalLimit,
  orderBy,
  orderingOf,
  type Page,
  pageOf,
  type SortKey,
} from '#server/db/keyset.ts';
import { isOneOf } from '#server/db/one-of.ts';
import { allInvoices, invoiceEvents, invoices, profiles } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded, foundWithCustomers } from '#server/db/search.ts';
import { selectionOf } from '#server/db/selection.ts';
import { AppError } from '#server/errors.ts';
import { customerColumns, nameKey } from '#server/features/customers/queries.ts';
import {
  asJsonColumn,
  filterConditions,
  invoiceColumns,
  invoiceHolds,
  invoiceSheet,
  keptTotalColumns,
  presentInvoice,
  presentTotals,
  type Sums,
  totalColumns,
} from '#server/features/invoices/queries.ts';
import { pagesOf, type SpreadsheetColumn } from '#server/http/spreadsheet.ts';

const ownColumns = {
  ...invoiceColumns,
  userId: invoices.userId,
  version: invoices.version,
  fileUrl: invoices.fileUrl,
};
const columns = { ...ownColumns, customer: customerColumns };
const own = selectionOf(ownColumns);
const theirs = selectionOf(customerColumns, 'customer.');

const SORT_KEYS: Record<AdminInvoiceSort, SortKey> = {
  number: { expression: sql`${invoices.invoiceNumber}`, type: 'text' },
  // The id separates customers with the same name, so that a page only sorts the invoices of the customers it shows.
  customer: { expression: nameKey, type: 'text' },
  project: { expression: sql`fold(${invoices.projectName})`, type: 'text' },
  issueDate: { expression: sql`${invoices.issueDate}`, type: 'date' },
  amount: { expression: sql`${invoices.amount}`, type: 'numeric' },
  status: { expression: sql`${invoices.status}`, type: 'text' },
};
const ID = sql`${invoices.id}`;

/**
 * Subqueries that find the invoices matching every word of the text, in the invoice or its customer's name, e-mail or
 * company.
 */
function waysTo(search: string): SQL[] {
  return foundWithCustomers('all_invoices', search, (word) => invoiceHolds(sql`found`, word));
}

/** Condition for invoices that match the text: finds all of them first, using the indexes. For few matches. */
function searched(search: string): SQL {
  return sql`${invoices.id} in (${sql.join(waysTo(search), sql` union `)})`;
}

/** The same condition, checked row by row in the requested order: fast with many matches, very slow with none. */
function searchedInOrder(search: string): SQL | undefined {
  return containsEachWord(
    search,
    (word) => sql`(${invoiceHolds(sql`${invoices}`, word)}
      or ${invoices.userId} in (select id from all_profiles where search_text like ${containsFolded(word)}))`,
  );
}

/** An estimate this many times above the limit is trusted without counting. */
const FAR_ABOVE = 10;

/** Whether one of the subqueries of `waysTo` finds more than `maxCounted` invoices. */
async function isBroad(db: Database, search: string, maxCounted: number): Promise<boolean> {
  const counted = or(
    ...waysTo(search).map(
      (way) => sql`(select count(*) from (${way} limit ${maxCounted + 1}) as found) > ${maxCounted}`,
    ),
  );
  const [word, ...more] = searchWords(search);
  // For several words the planner multiplies selectivities as if independent; the words of one name are not. Count
  // instead.
  const broad =
    word === undefined || more.length > 0
      ? counted
      : sql`case when estimated_invoices(${containsFolded(word)}) > ${FAR_ABOVE * maxCounted} then true else ${counted} end`;
  const { rows } = await db.execute<{ broad: boolean }>(sql`select ${broad} as broad`);
  return rows[0]?.broad ?? false;
}

/**
 * The latest issue date among invoices overdue `today`, found by stepping from day to day, one index row each. No
 * invoice is due before it is issued.
 */
function latestOverdueIssue(today: CalendarDate): SQL {
  const newest = (earlierThan: SQL) => sql`
    select issue_date, due_date from all_invoices
    where status = 'Da Pagare' and due_date is not null and issue_date < ${earlierThan}
    order by issue_date desc, due_date limit 1`;
  return sql`(
    with recursive days (issued, earliest_due) as (
      (${newest(sql`${today}::date`)})
      union all
      select before.* from days cross join lateral (${newest(sql`days.issued`)}) before
      where earliest_due >= ${today}::date)
    select issued from days where earliest_due < ${today}::date)`;
}

function present(row: Record<string, unknown>): AdminInvoice {
  return { ...presentInvoice(own.read(row)), customer: theirs.read(row) };
}

/** Count and sums of the filtered invoices, counting at most `maxCounted` + 1 of them. */
function limitedTotals(db: Database, conditions: SQL | undefined, maxCounted: number) {
  const counted = db
    .select({ amount: invoices.amount, status: invoices.status })
    .from(allInvoices)
    .where(conditions)
    .limit(literalLimit(maxCounted + 1))
    .as('counted');
  return db.select(asJsonColumn({ ...keptTotalColumns, count: sql<number>`count(*)::int` })).from(counted);
}

/** Count and sums of the filtered invoices, from the kept totals whenever the filters allow. */
function totalsOf(db: Database, query: AdminInvoiceQuery, today: CalendarDate, conditions: SQL | undefined) {
  const { search, file, status, from, to } = query;
  const userId = query.userId as UserId | undefined;
  const overdue = status === 'Scaduta';
  const unkept = search || (overdue && [userId, from, to].some((filter) => filter !== undefined));
  if (unkept) return db.select(asJsonColumn(totalColumns)).from(allInvoices).where(conditions);
  const kept = overdue
    ? allCustomersOverdueTotals(today)
    : userId === undefined
      ? allCustomersTotals({ from, to })
      : customerTotals(userId, { from, to });
  return db
    .select(asJsonColumn(keptTotalColumns))
    .from(sql`${kept} as totals`)
    .where(
      and(
        file && sql`with_file = ${file === 'with'}`,
        status === undefined || overdue ? undefined : sql`status = ${status}`,
      ),
    );
}

/** Conditions for the filters other than the searched text. */
function filtersOf(query: Omit<AdminInvoiceQuery, 'limit' | 'cursor'>, today: CalendarDate): SQL | undefined {
  const { userId, file } = query;
  return and(
    userId === undefined ? undefined : sql`${invoices.userId} = ${userId}`,
    file === 'with' ? isNotNull(invoices.fileUrl) : undefined,
    file === 'without' ? isNull(invoices.fileUrl) : undefined,
    ...filterConditions(query, today),
  );
}

/** Invoices of everybody, each with its customer. */
const WITH_CUSTOMERS = sql`all_invoices invoices join all_profiles profiles on ${profiles.id} = ${invoices.userId}`;

/**
 * One page of everybody's invoices with the totals of the whole filtered list. Needs the invoice administrator's scope.
 * @param today in Europe/Rome
 * @param maxCounted the most matches of a text that are counted; with more, `totals` is null and `total` is this
 *   number
 */
export async function listAllInvoices(
  db: Database,
  query: AdminInvoiceQuery,
  today: CalendarDate,
  maxCounted = MAX_COUNTED,
): Promise<Page<AdminInvoice> & { totals: InvoiceTotals | null }> {
  const { sort, direction, search, userId, limit } = query;
  const ordering = orderingOf(SORT_KEYS, { sort, direction });
  const broad = search ? await isBroad(db, search, maxCounted) : false;
  const filters = filtersOf(query, today);
  // Newest first, a scan would pass over all invoices not yet due before reaching the first overdue one.
  const begun =
    query.status === 'Scaduta' && sort === 'issueDate' && direction === 'desc' && !search
      ? sql`${invoices.issueDate} <= ${latestOverdueIssue(today)}`
      : undefined;
  const found = search ? (broad ? searchedInOrder(search) : searched(search)) : undefined;
  const conditions = and(found, filters);
  // A broad search without other filters is known to exceed the limit.
  const uncounted = broad && filters === undefined;
  const sums = uncounted
    ? sql`select null`
    : broad
      ? limitedTotals(db, conditions, maxCounted)
      : totalsOf(db, query, today, conditions);
  const { rows } = await db.execute<{ id: string; key: string; total: Sums | null }>(sql`
    select ${invoices.id} as "id", (${ordering.key.expression})::text as "key", ${own.columns}, ${theirs.columns},
      (${sums}) as "total"
    from ${WITH_CUSTOMERS}
    where ${and(conditions, begun, afterCursor(ordering, ID, query.cursor)) ?? sql`true`}
    order by ${orderBy(ordering, ID)}
    limit ${userId === undefined ? literalLimit(limit + 1) : limit + 1}`);
  const page = await pageOf(db, rows, query, {
    ordering,
    counted: sums,
    none: null,
    positionOf: (row) => ({ value: row.key, id: Number(row.id) }),
    present,
  });
  const totals = presentTotals(page.total);
  return {
    ...page,
    ...(uncounted || (broad && totals.total > maxCounted) ? { total: maxCounted, totals: null } : totals),
  };
}

/** The columns of an export: the customer, then the columns of the customer's own export. */
export const adminInvoiceSheet: SpreadsheetColumn<AdminInvoice>[] = [
  { header: 'Utente', type: 'text', width: 32, value: ({ customer }) => customer.fullName },
  { header: 'Azienda', type: 'text', width: 32, value: ({ customer }) => customer.companyName },
  { header: 'Email', type: 'text', width: 32, value: ({ customer }) => customer.email },
  ...invoiceSheet,
];

/**
 * Everybody's invoices that match `filters`, in the requested order, page by page. Which ones and their order are decided
 * before the first page: an invoice changed between two pages is neither repeated nor left out, unless it no longer
 * matches. Needs the invoice administrator's scope.
 * @param today in Europe/Rome
 * @throws AppError invoice_export_too_large before the first page, when there are more than `most`
 */
export async function exportAllInvoices(
  db: Database,
  filters: Omit<AdminInvoiceQuery, 'limit' | 'cursor'>,
  today: CalendarDate,
  { atOnce, most = MAX_EXPORTED_INVOICES }: { atOnce?: number; most?: number } = {},
): Promise<AsyncIterable<AdminInvoice[]>> {
  const { total, totals } = await listAllInvoices(db, { ...filters, limit: 1 }, today, most);
  if (totals === null || total > most) throw new AppError('invoice_export_too_large');
  const matching = filtersOf(filters, today);
  const found = filters.search ? searched(filters.search) : undefined;
  const { rows: ordered } = await db.execute<{ id: string }>(sql`
    select ${invoices.id} as "id" from ${WITH_CUSTOMERS}
    where ${and(found, matching) ?? sql`true`}
    order by ${orderBy(orderingOf(SORT_KEYS, filters), ID)}
    limit ${literalLimit(most)}`);
  return (async function* () {
    for await (const page of pagesOf(ordered, atOnce)) {
      const ids = page.map(({ id }) => id);
      const { rows } = await db.execute<{ id: string }>(sql`
        select ${invoices.id} as "id", ${own.columns}, ${theirs.columns} from ${WITH_CUSTOMERS}
        where ${and(isOneOf(invoices.id, ids.map(Number)), matching)}`);
      const byId = new Map(rows.map((row) => [row.id, row]));
      yield ids.flatMap((id) => byId.get(id) ?? []).map(present);
    }
  })();
}

/** Any customer's invoice; null when there is none. Needs the invoice administrator's scope. */
export async function findAnyInvoice(db: Database, number: string): Promise<AdminInvoice | null> {
  const [row] = await db
    .select(columns)
    .from(invoices)
    .innerJoin(profiles, eq(profiles.id, invoices.userId))
    .where(eq(invoices.invoiceNumber, number));
  return row ? presentInvoice(row) : null;
}

/**
 * Where the file of any customer's invoice is; null when there is no such invoice. Needs the invoice administrator's
 * scope.
 */
export async function findAnyInvoiceFile(
  db: Database,
  number: string,
): Promise<{ fileName: string | null; fileUrl: string | null } | null> {
  const [row] = await db
    .select({ fileName: invoices.fileName, fileUrl: invoices.fileUrl })
    .from(invoices)
    .where(eq(invoices.invoiceNumber, number));
  return row ?? null;
}

/** The history of an invoice, oldest first, even if it was deleted. Needs the invoice administrator's scope. */
export async function listInvoiceEvents(db: Database, number: string): Promise<InvoiceEvent[]> {
  const rows = await db
    .select({
      id: invoiceEvents.id,
      at: invoiceEvents.at,
      action: invoiceEvents.action,
      actor: profiles.fullName,
      detail: invoiceEvents.detail,
    })
    .from(invoiceEvents)
    .leftJoin(profiles, eq(profiles.id, invoiceEvents.actorId))
    .where(eq(invoiceEvents.invoiceNumber, number))
    .orderBy(asc(invoiceEvents.id));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
