import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Customer, CustomerProject } from '#contract/customers.ts';
import type { UserId } from '#server/auth/actor.ts';
import {
  afterCursor,
  literalLimit,
  newestFirst,
  type Ordering,
  orderBy,
  type Page,
  pageOf,
} from '#server/db/keyset.ts';
import { allProfiles, profiles, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded } from '#server/db/search.ts';

type PageQuery = { limit: number; cursor?: string | undefined; search?: string | undefined };

/** Columns of `Customer`. */
export const customerColumns = {
  id: profiles.id,
  fullName: profiles.fullName,
  email: profiles.email,
  companyName: profiles.companyName,
};

/**
 * Names repeat and account ids are text, so the id is appended to the sort key as tie-breaker: after a tab, which comes before
 * the space of a longer name.
 */
export const nameKey = sql<string>`(fold(${profiles.fullName}) || E'\\t' || ${profiles.id})`;
const BY_NAME: Ordering = { name: 'name', direction: 'asc', key: { expression: nameKey, type: 'text' } };
const NO_TIE = sql`0::bigint`;

/**
 * Accounts that can be invoiced, by name: all except the invoice administrator, searched by name, e-mail or company.
 * Includes deleted accounts, whose invoices remain, unless only `invoiceable` ones are requested. Needs the invoice
 * administrator's scope.
 */
export async function listCustomers(
  db: Database,
  invoiceAdminEmail: string,
  query: PageQuery & { id?: string | undefined; invoiceable?: boolean },
): Promise<Page<Customer>> {
  const { limit, cursor, id, search, invoiceable = false } = query;
  const conditions = and(
    id === undefined ? undefined : eq(profiles.id, id as UserId),
    ne(profiles.email, invoiceAdminEmail),
    invoiceable ? isNull(profiles.deletedAt) : undefined,
    search
      ? containsEachWord(search, (word) => sql`${profiles}.search_text like ${containsFolded(word)}`)
      : undefined,
  );
  const counted =
    search || id !== undefined
      ? db.select({ total: sql<number>`count(*)::int` }).from(allProfiles).where(conditions)
      : db
          .select({
            total: sql<number>`(coalesce(sum(count), 0)
            - (select count(*) from all_profiles where email = ${invoiceAdminEmail}))::int`,
          })
          .from(sql`profile_counts where ${invoiceable ? sql`not deleted` : sql`true`}`);
  const rows = await db
    .select({ ...customerColumns, key: nameKey, total: sql<number>`(${counted})` })
    .from(allProfiles)
    .where(and(conditions, afterCursor(BY_NAME, NO_TIE, cursor)))
    .orderBy(orderBy(BY_NAME, NO_TIE))
    .limit(literalLimit(limit + 1));
  return pageOf(db, rows, query, {
    ordering: BY_NAME,
    counted,
    none: 0,
    positionOf: (row) => ({ value: row.key, id: 0 }),
    present: ({ key: _, total: __, ...customer }) => customer,
  });
}

const PROJECT_ID = sql`${projects.id}`;
const NEWEST_FIRST = newestFirst(PROJECT_ID);

/** Projects of one customer, newest first, searched by name or place. Needs the invoice administrator's scope. */
export async function listCustomerProjects(
  db: Database,
  customerId: UserId,
  query: PageQuery,
): Promise<Page<CustomerProject>> {
  const { limit, cursor, search } = query;
  const conditions = and(
    eq(projects.userId, customerId),
    search
      ? containsEachWord(
          search,
          (word) => sql`fold(${projects.name} || ' ' || ${projects.location}) like ${containsFolded(word)}`,
        )
      : undefined,
  );
  const counted = db.select({ total: sql`count(*)::int` }).from(projects).where(conditions);
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      location: projects.location,
      status: projects.status,
      startDate: projects.startDate,
      endDate: projects.endDate,
      total: sql<number>`(${counted})`,
    })
    .from(projects)
    .where(and(conditions, afterCursor(NEWEST_FIRST, PROJECT_ID, cursor)))
    .orderBy(orderBy(NEWEST_FIRST, PROJECT_ID))
    .limit(limit + 1);
  return pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted,
    none: 0,
    positionOf: ({ id }) => ({ value: String(id), id }),
    present: ({ total: _, ...project }) => project,
  });
}
