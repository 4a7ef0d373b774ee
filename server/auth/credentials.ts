import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { profiles } from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import type { UserId } from './actor.ts';
import { record } from './audit.ts';

/**
 * Takes every way into an account from it: sessions, password, second factor.
 * @param tx in the scope of the system
 */
export async function eraseCredentials(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`select erase_credentials(${userId})`);
}

/**
 * Ends every session of an account, whose cookies then open nothing.
 * @param tx in the scope of the system
 */
export async function endSessions(tx: Database, userId: UserId): Promise<void> {
  await tx.execute(sql`select end_sessions(${userId})`);
}

/**
 * Notes that whoever is about to enter an account reads the mail of its address. Anybody may register anybody's address, so the
 * first such proof takes away what was set up before it: a stranger who registered the address keeps no password, session
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
