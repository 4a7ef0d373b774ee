import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { profiles } from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import type { UserId } from './actor.ts';
import { record } from './audit.ts';

/**
 * Removes all credentials of an account: sessions, password, second factor.
 * @param tx in the scope of the system
 */
export async function eraseCredentials(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`select erase_credentials(${userId})`);
}

/**
 * Ends every session of an account; its cookies no longer give access.
 * @param tx in the scope of the system
 */
export async function endSessions(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`select end_sessions(${userId})`);
}

/**
 * Records that the person about to log in reads the mail of the account's address. Anybody may register any address, so
 * the first such proof removes what was set up before: a stranger who registered the address keeps no password, session
 * or second factor. Later proofs change nothing.
 */
export async function proveAddress(pool: Pool, userId: UserId, ipAddress: string | null): Promise<void> {
  await transaction(pool, SYSTEM, async (tx) => {
    const first = await tx
      .update(profiles)
      .set({ emailVerified: true, twoFactorEnabled: false, updatedAt: sql`now()` })
      .where(and(eq(profiles.id, userId), eq(profiles.emailVerified, false), isNull(profiles.deletedAt)))
      .returning({ id: profiles.id });
    if (first.length === 0) return;
    await eraseCredentials(tx, userId);
    await record(tx, {
      action: 'email_verified',
      subjectId: userId,
      ipAddress,
      detail: { credentialsErased: true },
    });
  });
}
