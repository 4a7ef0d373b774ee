import { randomUUID } from 'node:crypto';
import { and, eq, notExists, sql } from 'drizzle-orm';
import { ERASED_DOMAIN } from '#contract/erasures.ts';
import type { Ownership } from '#contract/two-factor.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { record } from '#server/auth/audit.ts';
import { eraseCredentials } from '#server/auth/credentials.ts';
import type { Origin } from '#server/auth/request.ts';
import { requireOpenSession } from '#server/auth/session.ts';
import {
  employees,
  invoices,
  mailMessages,
  profiles,
  projects,
  requirements,
  supportRequests,
  tripRequests,
} from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import { removeUnreferencedPicture, storedPicture } from '#server/features/profile/commands.ts';
import { proveOwnership } from '#server/features/two-factor/commands.ts';
import { lockWithActor, requireOtherAdmin } from '#server/features/users/commands.ts';
import type { Services } from '#server/services.ts';

/**
 * Deletes the own account.
 * @param proof the password and, where the second factor is on, a code
 * @returns the cookies to set, which remove the signed cookie that reads would otherwise trust until it expires
 * @throws AppError wrong_password, password_missing, invalid_code, last_admin, unauthenticated
 */
export async function deleteOwnAccount(
  services: Services,
  actor: Actor,
  proof: Ownership,
  origin: Origin,
): Promise<string[]> {
  // Judged again as the account is erased, but a refusal must not use up a code.
  await transaction(services.pool, SYSTEM, (tx) => requireOtherAdmin(tx, services, actor, actor.userId));
  await proveOwnership(services, actor, proof, origin);
  // A new password that was set while the former one was verified has ended the session.
  await requireOpenSession(services.auth, actor);
  await eraseAccount(services, actor, actor.userId, origin, (tx) =>
    lockWithActor(tx, services, actor, actor.userId),
  );
  // Only the cookies are left to remove: unlike `endSession`, this does not fail after the account is gone.
  const { headers } = await services.auth.api.signOut({ headers: origin.headers, returnHeaders: true });
  return headers.getSetCookie();
}

/** Deletes the records of an account, and anonymizes those that its invoices refer to. */
async function eraseRecords(tx: Database, userId: UserId): Promise<void> {
  for (const table of [tripRequests, requirements, supportRequests, mailMessages])
    await tx.delete(table).where(eq(table.userId, userId));
  const invoiced = tx.select({ one: sql`1` }).from(invoices).where(eq(invoices.projectId, projects.id));
  await tx.delete(projects).where(and(eq(projects.userId, userId), notExists(invoiced)));
  // The digest was computed over input with names, which could be guessed from it.
  await tx.update(projects).set({ idempotencyDigest: null }).where(eq(projects.userId, userId));
  await tx
    .update(employees)
    .set({ name: 'Lavoratore', department: null, email: null, phone: null, idempotencyDigest: null })
    .where(eq(employees.userId, userId));
}

/**
 * Erases an account. Requests, messages, picture and credentials are deleted. Employees are anonymized, because they
 * stay assigned to the projects that invoices refer to. Invoices and their PDFs are fiscal records and remain, with the
 * company they were issued to.
 * @param lock called in the same transaction before anything is erased: locks the account, or refuses by throwing
 * @throws AppError last_admin, and whatever `lock` throws
 */
export async function eraseAccount(
  services: Services,
  actor: Actor,
  userId: UserId,
  origin: Origin,
  lock: (tx: Database) => Promise<typeof profiles.$inferSelect | undefined>,
): Promise<void> {
  // Drawn, because one that is known beforehand could be taken by somebody else.
  const name = `eliminato-${randomUUID()}`;
  const picture = await transaction(services.pool, SYSTEM, async (tx) => {
    await requireOtherAdmin(tx, services, actor, userId);
    const profile = await lock(tx);
    const [invoice] = await tx
      .select({ id: invoices.id })
      .from(invoices)
      .where(eq(invoices.userId, userId))
      .limit(1);

    await eraseRecords(tx, userId);
    await tx
      .update(profiles)
      .set({
        email: `${name}@${ERASED_DOMAIN}`,
        username: name,
        fullName: 'Account eliminato',
        companyName: invoice ? profile?.companyName : null,
        role: 'user',
        profilePicture: null,
        emailVerified: false,
        twoFactorEnabled: false,
        lastLogin: null,
        idempotencyDigest: null,
        banned: true,
        deletedAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(eq(profiles.id, userId));
    await eraseCredentials(tx, userId);
    await record(tx, {
      action: 'account_deleted',
      actorId: actor.userId,
      subjectId: userId,
      ipAddress: origin.ipAddress,
    });
    const dropped = storedPicture(profile?.profilePicture ?? null);
    if (dropped) await services.jobs.send(tx, 'fileRemoval', { path: dropped });
    return dropped;
  });
  await removeUnreferencedPicture(services, userId, picture);
}
