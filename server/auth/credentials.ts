import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { profiles } from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import type { UserId } from './actor.ts';
import { record } from './audit.ts';
import type { Auth } from './auth.ts';
import { revokeLinks } from './links.ts';

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

/** The stored hash of an account's password; null without one. */
export async function findPasswordHash(auth: Auth, userId: UserId): Promise<string | null> {
  const { internalAdapter } = await auth.$context;
  return (await internalAdapter.findCredentialAccount(userId))?.password ?? null;
}

/**
 * Locks an account until the end of a transaction of the accounts service, which is to begin with it. Whatever changes more than one
 * row of an account locks its profile first, so that no two wait for each other. A change that came before, of the password or the
 * role, is there for all that follows, with the sessions that it ended; what follows is ended by one that comes later.
 */
export async function holdAccount(auth: Auth, userId: UserId): Promise<void> {
  const { adapter } = await auth.$context;
  // Written, because the library has no read that locks.
  const update = { updatedAt: new Date() };
  await adapter.updateMany({ model: 'user', where: [{ field: 'id', value: userId }], update });
}

/**
 * Waits for a new password that is just being set.
 * @param hash read before a password was verified, which takes long enough for a new one to be set meanwhile. To be asked once what
 *   the verified password opens is stored, or in a transaction that holds the account: a change that comes later ends that
 * @returns whether `hash` is still the account's
 */
export async function holdPassword(auth: Auth, userId: UserId, hash: string): Promise<boolean> {
  const { adapter } = await auth.$context;
  // Written, because a read would not wait.
  const held = await adapter.updateMany({
    model: 'account',
    where: [
      { field: 'userId', value: userId },
      { field: 'providerId', value: 'credential' },
      { field: 'password', value: hash },
    ],
    update: { updatedAt: new Date() },
  });
  return held > 0;
}

/**
 * Gives an account a password in place of any other, and ends what the one before may have opened: recovery links, logins that
 * wait for their second factor, and sessions. To be called in a transaction of the accounts service that holds the account.
 * @param hash of the new password
 */
export async function replacePassword(auth: Auth, userId: UserId, hash: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  // Stored first: a login that is under way then waits for the end of the transaction (`holdPassword`), or is ended below.
  if (await internalAdapter.findCredentialAccount(userId)) {
    await internalAdapter.updatePassword(userId, hash);
  } else {
    // The first mailed code removed the one that the account was registered with.
    const account = { userId, providerId: 'credential', accountId: userId, password: hash };
    await internalAdapter.createAccount(account);
  }
  await revokeLinks(auth, userId);
  await internalAdapter.deleteUserSessions(userId);
}
