import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { identitySchema, Me } from '#contract/accounts.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { type Attempt, requireSameContent } from '#server/db/idempotency.ts';
import { profiles } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import type { AccountServices } from '#server/services.ts';
import { permissionsOf } from './policy.ts';

/** The account of `actor` as the app sees it (spec §3, safe user); null when it is deleted or suspended. */
export async function findMe(db: Database, actor: Actor): Promise<Me | null> {
  const [row] = await db.select().from(profiles).where(eq(profiles.id, actor.userId));
  if (!row || row.banned) return null;
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    fullName: row.fullName,
    companyName: row.companyName,
    role: row.role,
    profilePicture: row.profilePicture,
    emailVerified: row.emailVerified,
    twoFactorEnabled: row.twoFactorEnabled,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLogin?.toISOString() ?? null,
    permissions: permissionsOf(actor.kind),
  };
}

/**
 * The e-mail of a username, compared case-insensitively (spec §5); null when there is none. Needs the system's scope.
 */
export async function findEmailByUsername(db: Database, username: string): Promise<string | null> {
  const [row] = await db
    .select({ email: profiles.email })
    .from(profiles)
    .where(eq(profiles.username, username.toLowerCase()));
  return row?.email ?? null;
}

/** The account with an e-mail; null when there is none. Needs the system's scope. */
export async function findAccountByEmail(
  db: Database,
  email: string,
): Promise<{ id: UserId; username: string; emailVerified: boolean; twoFactorEnabled: boolean } | null> {
  const [row] = await db
    .select({
      id: profiles.id,
      username: profiles.username,
      emailVerified: profiles.emailVerified,
      twoFactorEnabled: profiles.twoFactorEnabled,
    })
    .from(profiles)
    .where(eq(profiles.email, email));
  return row ?? null;
}

/**
 * The account that an earlier attempt created for `email`; null for none. Needs the system's scope.
 * @throws AppError idempotency_key_reused when it was created from other input
 */
export async function findAccountOfAttempt(
  db: Database,
  email: string,
  attempt: Attempt | null,
): Promise<UserId | null> {
  if (attempt === null) return null;
  const [row] = await db
    .select({ id: profiles.id, idempotencyDigest: profiles.idempotencyDigest })
    .from(profiles)
    .where(and(eq(profiles.email, email), eq(profiles.idempotencyKey, attempt.idempotencyKey)));
  if (!row) return null;
  requireSameContent(attempt, row);
  return row.id;
}

/**
 * The ways an account can be entered: its password, or none. No pages, because there is never more than one: the password is
 * the only provider, and its entry has the id of the account (`UNIQUE (provider_id, account_id)`). Not by the library's
 * endpoint, which takes a lost database for a session that ended.
 */
export async function findIdentities(
  { auth }: AccountServices,
  actor: Actor,
): Promise<z.output<typeof identitySchema>[]> {
  const { internalAdapter } = await auth.$context;
  const identities = await internalAdapter.findAccounts(actor.userId);
  return identities.map(({ id, providerId, createdAt }) => ({
    id,
    provider: providerId,
    createdAt: createdAt.toISOString(),
  }));
}

/** Whether this account was erased. Needs the system's scope. */
export async function isErased(db: Database, userId: UserId): Promise<boolean> {
  const [row] = await db
    .select({ deletedAt: profiles.deletedAt })
    .from(profiles)
    .where(eq(profiles.id, userId));
  return !row || row.deletedAt !== null;
}

/** Whether an account has this e-mail. Needs the system's scope. */
export async function emailExists(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ one: sql`1` }).from(profiles).where(eq(profiles.email, email)).limit(1);
  return rows.length > 0;
}

/** Usernames equal to `base` or to `base` followed by a number. Needs the system's scope. */
export async function findUsernamesLike(db: Database, base: string): Promise<string[]> {
  const rows = await db
    .select({ username: profiles.username })
    .from(profiles)
    .where(
      and(
        sql`starts_with(${profiles.username}, ${base})`,
        sql`rtrim(${profiles.username}, '0123456789') = rtrim(${base}, '0123456789')`,
      ),
    );
  return rows.map((row) => row.username);
}
