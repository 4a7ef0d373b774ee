import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { User, usersQuerySchema } from '#contract/users.ts';
import type { UserId } from '#server/auth/actor.ts';
import {
  afterCursor,
  instantText,
  literalLimit,
  type Ordering,
  orderBy,
  type Page,
  pageOf,
} from '#server/db/keyset.ts';
import { profiles } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { plannedOnce } from '#server/db/search.ts';
import { precompiled, type RowOf, selectionOf } from '#server/db/selection.ts';
import { refusalToManage } from './policy.ts';

/** The viewer and the invoice administrator's address, which decide what the viewer may do to each account. */
export type Viewer = { userId: UserId; invoiceAdminEmail: string };

const createdAt = precompiled(sql`${profiles.createdAt}`);
const createdKey = instantText(createdAt);
const NEWEST_FIRST: Ordering = {
  name: 'newest',
  direction: 'desc',
  key: { expression: createdAt, type: 'timestamptz' },
};
const ID = precompiled(sql`${profiles.id}`);
const ORDER = precompiled(orderBy(NEWEST_FIRST, ID));
const PRESENT = precompiled(isNull(profiles.deletedAt));

const columns = {
  id: profiles.id,
  email: profiles.email,
  fullName: profiles.fullName,
  companyName: profiles.companyName,
  role: profiles.role,
  createdAt: profiles.createdAt,
  emailVerified: profiles.emailVerified,
  suspended: profiles.banned,
};
const selection = selectionOf(columns);
const shown = precompiled(sql`${selection.columns}, ${createdKey} as "key"`);

function present(row: RowOf<typeof columns>, viewer: Viewer): User {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    manageable: refusalToManage(viewer.userId, row, viewer.invoiceAdminEmail) === null,
  };
}

/** Accounts, newest first, searched by name, e-mail or company (spec §2). Needs an administrator's scope. */
export async function listUsers(
  db: Database,
  viewer: Viewer,
  query: z.output<typeof usersQuerySchema>,
): Promise<Page<User>> {
  const { limit, cursor, id, search, role } = query;
  const conditions = and(
    PRESENT,
    id === undefined ? undefined : eq(profiles.id, id as UserId),
    role && eq(profiles.role, role),
    search ? plannedOnce(sql`profiles.search_text`, search) : undefined,
  );
  const after = afterCursor(NEWEST_FIRST, ID, cursor, 'text');
  const rowLimit = literalLimit(limit + 1);
  const counted =
    search || id !== undefined
      ? sql`select count(*)::int from all_profiles profiles where ${conditions}`
      : sql`select coalesce(sum(count), 0)::int from profile_counts
        where not deleted ${role ? sql`and role = ${role}` : sql``}`;
  // Matches are materialized once, for both page and count. Otherwise, with few matches, PostgreSQL would scan most of
  // the table in sort order to fill the page.
  const statement = search
    ? sql`
      with found as materialized (select profiles.id, created_at from all_profiles profiles where ${conditions})
      select ${shown}, (select count(*)::int from found) as "total"
      from (select id from found profiles where ${after ?? sql`true`} order by ${ORDER} limit ${rowLimit}) page
      join all_profiles profiles on profiles.id = page.id
      order by ${ORDER}`
    : sql`
      select ${shown}, (${counted}) as "total"
      from all_profiles profiles
      where ${and(conditions, after)}
      order by ${ORDER}
      limit ${rowLimit}`;
  const { rows } = await db.execute<{ key: string; id: string; total: number }>(statement);
  return pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted,
    none: 0,
    positionOf: (row) => ({ value: row.key, id: row.id }),
    present: (row) => present(selection.read(row), viewer),
  });
}

/** One account; null when it does not exist or was deleted. Needs an administrator's scope. */
export async function findUser(db: Database, viewer: Viewer, id: UserId): Promise<User | null> {
  const [row] = await db
    .select(columns)
    .from(profiles)
    .where(and(eq(profiles.id, id), isNull(profiles.deletedAt)));
  return row ? present(row, viewer) : null;
}
