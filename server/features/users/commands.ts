import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AccountNames } from '#contract/accounts.ts';
import type { newUserSchema, userChangesSchema } from '#contract/users.ts';
import { type Actor, kindOf, type UserId } from '#server/auth/actor.ts';
import { type AuditAction, record, recordOnce } from '#server/auth/audit.ts';
import { endSessions } from '#server/auth/credentials.ts';
import type { Origin } from '#server/auth/request.ts';
import type { Attempt } from '#server/db/idempotency.ts';
import { profiles } from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { createAccount, refuseReserved } from '#server/features/accounts/commands.ts';
import type { Services } from '#server/services.ts';
import { refusalToManage } from './policy.ts';

/**
 * Ensures that an administrator remains without `leaving`. Locks all administrators until the transaction ends, so that
 * two who demote each other at once cannot both succeed, and in the same order the accounts that `lockWithActor` locks.
 * The invoice administrator manages no users and does not count.
 * @throws AppError last_admin
 */
export async function requireOtherAdmin(
  tx: Database,
  { env }: Services,
  actor: Actor,
  leaving: UserId,
): Promise<void> {
  const isAdmin = and(
    eq(profiles.role, 'admin'),
    eq(profiles.banned, false),
    isNull(profiles.deletedAt),
    ne(profiles.email, env.invoiceAdminEmail),
  );
  const accounts = await tx
    .select({ id: profiles.id, isAdmin: sql<boolean>`${isAdmin}` })
    .from(profiles)
    .where(or(isAdmin, inArray(profiles.id, [actor.userId, leaving])))
    .orderBy(asc(profiles.id))
    .for('update');
  const admins = accounts.filter((account) => account.isAdmin);
  if (admins.length > 0 && admins.every(({ id }) => id === leaving)) throw new AppError('last_admin');
}

type Profile = typeof profiles.$inferSelect;

/**
 * Locks the account of `actor` and, in the same order for everybody, the one with `id`. A command in the system's scope
 * may have waited for the transaction that suspended or erased the actor or changed their role.
 * @returns the account with `id`; undefined when it is gone
 * @throws AppError unauthenticated when the actor is no longer what they were as the request began
 */
export async function lockWithActor(
  tx: Database,
  { env }: Services,
  actor: Actor,
  id: UserId,
): Promise<Profile | undefined> {
  const accounts = await tx
    .select()
    .from(profiles)
    .where(and(inArray(profiles.id, [actor.userId, id]), isNull(profiles.deletedAt)))
    .orderBy(asc(profiles.id))
    .for('update');
  const self = accounts.find((account) => account.id === actor.userId);
  if (!self || self.banned || kindOf(self, env.invoiceAdminEmail) !== actor.kind) {
    throw new AppError('unauthenticated');
  }
  return accounts.find((account) => account.id === id);
}

/**
 * Locks the account that an administrator wants to manage.
 * @throws AppError unauthenticated, not_found, or why they may not manage it
 */
export async function lockManageable(
  tx: Database,
  services: Services,
  actor: Actor,
  id: UserId,
): Promise<Profile> {
  const target = await lockWithActor(tx, services, actor, id);
  if (!target) throw new AppError('not_found');
  const refusal = refusalToManage(actor.userId, target, services.env.invoiceAdminEmail);
  if (refusal) throw new AppError(refusal);
  return target;
}

/**
 * Creates an account for somebody (spec §6) with a confirmed address.
 * @param attempt idempotency key: repeats with the same address create one account; null for none
 * @throws AppError email_taken, email_reserved, unauthenticated
 */
export async function createUser(
  services: Services,
  actor: Actor,
  user: z.output<typeof newUserSchema>,
  origin: Origin,
  attempt: Attempt | null,
): Promise<UserId> {
  refuseReserved(services, user.email);
  const { role, ...account } = user;
  // Judged twice: an account that is created is there, even if the rest is refused.
  await transaction(services.pool, SYSTEM, (tx) => lockWithActor(tx, services, actor, actor.userId));
  const userId = await createAccount(services, account, attempt);
  await transaction(services.pool, SYSTEM, async (tx) => {
    await lockWithActor(tx, services, actor, userId);
    const first = await recordOnce(tx, {
      action: 'user_created',
      actorId: actor.userId,
      subjectId: userId,
      ipAddress: origin.ipAddress,
      detail: { role },
    });
    // Only the first time: a repeat must not undo later changes.
    if (first) await tx.update(profiles).set({ role, emailVerified: true }).where(eq(profiles.id, userId));
  });
  return userId;
}

/** Whether somebody changed one of the names in `changes` after they were `from`. */
export function isOutdated(
  changes: Partial<AccountNames>,
  from: AccountNames,
  current: AccountNames,
): boolean {
  return (['fullName', 'companyName'] as const).some(
    (field) =>
      changes[field] !== undefined &&
      current[field] !== from[field] &&
      // The same change was saved before.
      current[field] !== changes[field],
  );
}

/**
 * Changes somebody's account. A change of role, a suspension and the end of a suspension end the account's sessions, so
 * that its permissions are decided again at the next login. Unchanged values are not recorded as security events. An
 * account with an unproven address cannot become administrator, because anybody may have registered it.
 * @returns false, and nothing is written, when somebody changed one of the same names after `from`
 * @throws AppError unauthenticated, not_found, own_account, reserved_account, last_admin, email_unconfirmed
 */
export async function changeUser(
  services: Services,
  actor: Actor,
  id: UserId,
  { suspended, from, ...changes }: z.output<typeof userChangesSchema>,
  origin: Origin,
): Promise<boolean> {
  return transaction(services.pool, SYSTEM, async (tx) => {
    if (changes.role === 'user' || suspended) await requireOtherAdmin(tx, services, actor, id);
    const before = await lockManageable(tx, services, actor, id);
    if (from && isOutdated(changes, from, before)) return false;
    const suspends = suspended !== undefined && suspended !== before.banned;
    const changesRole = changes.role !== undefined && changes.role !== before.role;
    if (changesRole && changes.role === 'admin' && !before.emailVerified)
      throw new AppError('email_unconfirmed');
    const renames = changes.fullName !== undefined && changes.fullName !== before.fullName;
    const moves = changes.companyName !== undefined && changes.companyName !== before.companyName;
    const actions: AuditAction[] = [
      ...(suspends ? [suspended ? ('user_suspended' as const) : ('user_reinstated' as const)] : []),
      ...(changesRole ? (['role_changed'] as const) : []),
      ...(renames || moves ? (['user_updated'] as const) : []),
    ];
    if (actions.length === 0) return true;
    // Names of people are not copied into the events, which outlive the account.
    const details: Partial<Record<AuditAction, Record<string, unknown>>> = {
      role_changed: { from: before.role, to: changes.role },
      user_updated: { fields: [...(renames ? ['fullName'] : []), ...(moves ? ['companyName'] : [])] },
    };
    await tx
      .update(profiles)
      .set({ ...changes, ...(suspended !== undefined && { banned: suspended }), updatedAt: sql`now()` })
      .where(eq(profiles.id, id));
    for (const action of actions) {
      await record(tx, {
        action,
        actorId: actor.userId,
        subjectId: id,
        ipAddress: origin.ipAddress,
        detail: details[action] ?? {},
      });
    }
    // Also when a suspension ends: a login begun before the suspension may have opened a session after it.
    if (changesRole || suspends) await endSessions(tx, id);
    return true;
  });
}
