import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { User, usersQuerySchema } from '#contract/users.ts';
import type { UserId } from '#server/auth/actor.ts';
import { afterCursor, containsFolded, encodeCursor, type Ordering, orderBy } from '#server/db/keyset.ts';
import { profiles } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { refusalToManage } from './policy.ts';

/** Who looks, and which address is the invoice administrator's: what decides over what may be done to each account. */
export type Viewer = { userId: UserId; invoiceAdminEmail: string };

/** Ids of accounts are texts, so the tie between accounts of one instant is broken inside the key. */
const createdKey = sql<string>`to_char(${profiles.createdAt} at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || ' ' || ${profiles.id}`;
const NEWEST_FIRST: Ordering = {
  name: 'newest',
  direction: 'desc',
  key: { expression: createdKey, type: 'text' },
};
const NO_TIE = sql`0::bigint`;

type Row = typeof profiles.$inferSelect;

function present(row: Row, viewer: Viewer): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    fullName: row.fullName,
    companyName: row.companyName,
    role: row.role,
    profilePicture: row.profilePicture,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLogin?.toISOString() ?? null,
    emailVerified: row.emailVerified,
    twoFactorEnabled: row.twoFactorEnabled,
    suspended: row.banned,
    manageable: refusalToManage(viewer.userId, row, viewer.invoiceAdminEmail) === null,
  };
}

/** Accounts, newest first, found by name, e-mail or company (spec §2). Needs an administrator's scope. */
export async function listUsers(
  db: Database,
  viewer: Viewer,
  { limit, cursor, search, role }: z.output<typeof usersQuerySchema>,
): Promise<{ items: User[]; nextCursor: string | null; total: number }> {
  const conditions = and(
    isNull(profiles.deletedAt),
    role && eq(profiles.role, role),
    search
      ? sql`fold(${profiles.fullName} || ' ' || ${profiles.email} || ' ' || coalesce(${profiles.companyName}, '')) like ${containsFolded(search)}`
      : undefined,
  );
  const [rows, [count]] = await Promise.all([
    db
      .select({ row: profiles, key: createdKey })
      .from(profiles)
      .where(and(conditions, afterCursor(NEWEST_FIRST, NO_TIE, cursor)))
      .orderBy(orderBy(NEWEST_FIRST, NO_TIE))
      .limit(limit + 1),
    db.select({ total: sql<number>`count(*)::int` }).from(profiles).where(conditions),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ row }) => present(row, viewer)),
    nextCursor: rows.length > limit && last ? encodeCursor(NEWEST_FIRST, { value: last.key, id: 0 }) : null,
    total: count?.total ?? 0,
  };
}

/** One account; null when there is none or it was deleted. Needs an administrator's scope. */
export async function findUser(db: Database, viewer: Viewer, id: UserId): Promise<User | null> {
  const [row] = await db
    .select()
    .from(profiles)
    .where(and(eq(profiles.id, id), isNull(profiles.deletedAt)));
  return row ? present(row, viewer) : null;
}
