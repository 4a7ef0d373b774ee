import { or, sql } from 'drizzle-orm';
import { adminInvoiceQuerySchema } from '#contract/admin-invoices.ts';
import { type Customer, customerLabel } from '#contract/customers.ts';
import { type CalendarDate, period } from '#contract/dates.ts';
import { DETAIL_SEPARATOR, HITS_PER_KIND, type SearchHit, searchHitSchema } from '#contract/search.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded } from '#server/db/search.ts';
import { listAllInvoices } from '#server/features/admin-invoices/queries.ts';
import { listCustomers } from '#server/features/customers/queries.ts';
import {
  listManagedTripRequests,
  OWN_REQUEST_PROJECT,
  ownRequestHolds,
} from '#server/features/trip-requests/queries.ts';
import { listUsers, type Viewer } from '#server/features/users/queries.ts';

/** A hit, and when the project or the trip is. */
type Found = SearchHit & { startDate?: CalendarDate | null; endDate?: CalendarDate | null };

/** Adds to those that look like another when they are: the same trip is made each year. */
function toldApart(found: readonly Found[]): SearchHit[] {
  const lookOf = ({ kind, title, detail }: SearchHit) => `${kind}\n${title}\n${detail}`;
  const looks = found.map(lookOf);
  return found.map(({ startDate, endDate, ...hit }) =>
    startDate && endDate && looks.filter((look) => look === lookOf(hit)).length > 1
      ? { ...hit, detail: [hit.detail, period(startDate, endDate)].join(DETAIL_SEPARATOR) }
      : hit,
  );
}

/**
 * The records of `owner` with `text` in their name, place or number, at most `HITS_PER_KIND` of each kind, prefix
 * matches first. One round trip. Invoices issued after `today` are hidden (spec §5).
 */
async function searchOwn(
  db: Database,
  owner: UserId,
  text: string,
  today: CalendarDate,
): Promise<SearchHit[]> {
  const folded = (wanted: string) => sql`(select fold(${wanted}))`;
  const holds = (...columns: string[]) =>
    containsEachWord(text, (word) =>
      or(...columns.map((column) => sql`position(${folded(word)} in fold(${sql.raw(column)})) > 0`)),
    );
  const rank = (column: string) => sql`not starts_with(fold(${sql.raw(column)}), ${folded(text)})`;
  const { rows } = await db.execute<Pick<Found, 'startDate' | 'endDate'>>(sql`
    (select 'project' as kind, id::text as id, name as title, location as detail,
        start_date::text as "startDate", end_date::text as "endDate" from projects
      where user_id = ${owner} and ${holds('name', 'location')}
      order by ${rank('name')}, projects.id desc limit ${HITS_PER_KIND})
    union all
    (select 'employee', id::text, name, role, null, null from employees
      where user_id = ${owner} and ${holds('name', 'role')}
      order by ${rank('name')}, employees.name, employees.id limit ${HITS_PER_KIND})
    union all
    (select 'invoice', invoice_number, invoice_number, project_name, null, null from invoices
      where user_id = ${owner} and issue_date <= ${today}::date and ${containsEachWord(text, (word) => sql`search_text like ${containsFolded(word)}`)}
        and ${holds('invoice_number', 'project_name')}
      order by issue_date desc, invoices.id desc limit ${HITS_PER_KIND})
    union all
    (select 'tripRequest', id::text, city, ${OWN_REQUEST_PROJECT}, start_date::text, end_date::text from trip_requests
      where user_id = ${owner} and ${containsEachWord(text, ownRequestHolds)}
      order by ${rank('city')}, trip_requests.id desc limit ${HITS_PER_KIND})`);
  return toldApart(
    rows.map((row) => ({ ...searchHitSchema.parse(row), startDate: row.startDate, endDate: row.endDate })),
  );
}

/** Lower than for the list of invoices, because sums are not needed here. */
const HITS_COUNTED = 100;

/** Invoices of all customers, newest first. Needs the invoice administrator's scope. */
async function searchAllInvoices(db: Database, text: string, today: CalendarDate): Promise<SearchHit[]> {
  const query = adminInvoiceQuerySchema.parse({ search: text, limit: HITS_PER_KIND });
  const { items } = await listAllInvoices(db, query, today, HITS_COUNTED);
  return items.map(({ number, customer, projectName }) => ({
    kind: 'customerInvoice',
    id: number,
    title: number,
    detail: [nameOf(customer), projectName].join(DETAIL_SEPARATOR),
  }));
}

/** Customers by name. Needs the invoice administrator's scope. */
async function searchCustomers(db: Database, invoiceAdminEmail: string, text: string): Promise<SearchHit[]> {
  const { items } = await listCustomers(db, invoiceAdminEmail, { search: text, limit: HITS_PER_KIND });
  return items.map((customer) => ({
    kind: 'customer',
    id: customer.id,
    title: customerLabel(customer),
    detail: [customer.companyName, customer.email].filter(Boolean).join(DETAIL_SEPARATOR),
  }));
}

/** Trip requests of all customers, newest first. Needs an administrator's scope. */
async function searchAllTripRequests(db: Database, text: string): Promise<SearchHit[]> {
  const { items } = await listManagedTripRequests(db, { search: text, limit: HITS_PER_KIND });
  return toldApart(
    items.map(({ id, citta, progetto, customer, dataInizio, dataFine }) => ({
      kind: 'customerTripRequest',
      id: String(id),
      title: citta,
      detail: [nameOf(customer), progetto].join(DETAIL_SEPARATOR),
      startDate: dataInizio,
      endDate: dataFine,
    })),
  );
}

/** Accounts, newest first. Needs an administrator's scope. */
async function searchUsers(db: Database, viewer: Viewer, text: string): Promise<SearchHit[]> {
  const { items } = await listUsers(db, viewer, { search: text, limit: HITS_PER_KIND });
  return items.map((user) => ({
    kind: 'user',
    id: user.id,
    title: customerLabel(user),
    detail: user.email,
  }));
}

/** Person and company, since the text may match either. */
const nameOf = (customer: Customer) =>
  [customerLabel(customer), customer.companyName].filter(Boolean).join(', ');

/**
 * Everything `actor` may see that contains `text`: their own records; for an administrator also all customers' requests
 * and the accounts; for the invoice administrator, who has no own records, all customers and their invoices (spec §6).
 * @param db reads as `actor`
 * @param today in Europe/Rome
 */
export async function search(
  db: Database,
  actor: Pick<Actor, 'userId' | 'kind'>,
  { invoiceAdminEmail }: Pick<Viewer, 'invoiceAdminEmail'>,
  text: string,
  today: CalendarDate,
): Promise<SearchHit[]> {
  const { userId, kind } = actor;
  if (kind === 'invoiceAdmin') {
    const found = await Promise.all([
      searchAllInvoices(db, text, today),
      searchCustomers(db, invoiceAdminEmail, text),
    ]);
    return found.flat();
  }
  const own = searchOwn(db, userId, text, today);
  if (kind === 'user') return own;
  const found = await Promise.all([
    own,
    searchAllTripRequests(db, text),
    searchUsers(db, { userId, invoiceAdminEmail }, text),
  ]);
  return found.flat();
}
