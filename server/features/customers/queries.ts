import { and, eq, ne, sql } from 'drizzle-orm';
import type { Customer, CustomerProject } from '#contract/customers.ts';
import type { UserId } from '#server/auth/actor.ts';
import {
  afterCursor,
  containsFolded,
  encodeCursor,
  type Ordering,
  orderBy,
  writtenLimit,
} from '#server/db/keyset.ts';
import { allProfiles, profiles, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';

type PageQuery = { limit: number; cursor?: string | undefined; search?: string | undefined };
type Page<Item> = { items: Item[]; nextCursor: string | null; total: number };

/** Columns of `Customer`. */
export const customerColumns = {
  id: profiles.id,
  fullName: profiles.fullName,
  email: profiles.email,
  companyName: profiles.companyName,
};

/** Names repeat and ids of accounts are texts, so the tie is broken inside the key. */
const nameKey = sql<string>`fold(${profiles.fullName}) || ' ' || ${profiles.id}`;
const BY_NAME: Ordering = { name: 'name', direction: 'asc', key: { expression: nameKey, type: 'text' } };
const NO_TIE = sql`0::bigint`;

/**
 * Accounts that can be invoiced, by name: all but the invoice administrator, found by name, e-mail or company. Needs
 * the invoice administrator's scope.
 */
export async function listCustomers(
  db: Database,
  invoiceAdminEmail: string,
  { limit, cursor, search }: PageQuery,
): Promise<Page<Customer>> {
  const conditions = and(
    ne(profiles.email, invoiceAdminEmail),
    search ? sql`${profiles}.search_text like ${containsFolded(search)}` : undefined,
  );
  const counted = search
    ? db.select({ total: sql<number>`count(*)::int` }).from(allProfiles).where(conditions)
    : db
        .select({
          total: sql<number>`(coalesce(sum(count), 0)
            - (select count(*) from all_profiles where email = ${invoiceAdminEmail}))::int`,
        })
        .from(sql`profile_counts`);
  const rows = await db
    .select({ ...customerColumns, key: nameKey, total: sql<number>`(${counted})` })
    .from(allProfiles)
    .where(and(conditions, afterCursor(BY_NAME, NO_TIE, cursor)))
    .orderBy(orderBy(BY_NAME, NO_TIE))
    .limit(writtenLimit(limit + 1));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ key: _, total: __, ...customer }) => customer),
    nextCursor: rows.length > limit && last ? encodeCursor(BY_NAME, { value: last.key, id: 0 }) : null,
    total: rows[0]?.total ?? 0,
  };
}

const NEWEST_FIRST: Ordering = {
  name: 'newest',
  direction: 'desc',
  key: { expression: sql`0::numeric`, type: 'numeric' },
};
const PROJECT_ID = sql`${projects.id}`;

/** Projects of one customer, newest first, found by name or place. Needs the invoice administrator's scope. */
export async function listCustomerProjects(
  db: Database,
  customerId: UserId,
  { limit, cursor, search }: PageQuery,
): Promise<Page<CustomerProject>> {
  const conditions = and(
    eq(projects.userId, customerId),
    search
      ? sql`fold(${projects.name} || ' ' || ${projects.location}) like ${containsFolded(search)}`
      : undefined,
  );
  const counted = db.select({ total: sql`count(*)::int` }).from(projects).where(conditions);
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      location: projects.location,
      status: projects.status,
      total: sql<number>`(${counted})`,
    })
    .from(projects)
    .where(and(conditions, afterCursor(NEWEST_FIRST, PROJECT_ID, cursor)))
    .orderBy(orderBy(NEWEST_FIRST, PROJECT_ID))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ total: _, ...project }) => project),
    nextCursor: rows.length > limit && last ? encodeCursor(NEWEST_FIRST, { value: '0', id: last.id }) : null,
    total: rows[0]?.total ?? 0,
  };
}
