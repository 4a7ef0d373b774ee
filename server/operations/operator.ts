import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Role, registrationSchema } from '#contract/accounts.ts';
import type { UserId } from '#server/auth/actor.ts';
import { record } from '#server/auth/audit.ts';
import { endSessions } from '#server/auth/credentials.ts';
import { profiles } from '#server/db/schema.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { createAccount, setPassword } from '#server/features/accounts/commands.ts';
import type { AccountServices } from '#server/services.ts';

/** Detail of events that the operator caused on the machine itself, without an account or IP address of their own. */
const OPERATOR = { by: 'operator' } as const;

/**
 * Marks the event that makes somebody the invoice administrator: `npm run doctor` names them when the address that
 * made them so has changed.
 */
function officeOf({ env }: AccountServices, email: string, role: Role) {
  return email === env.invoiceAdminEmail && role === 'admin' ? { invoiceAdmin: true } : {};
}

/**
 * Creates an account on behalf of the operator. Its address counts as confirmed, because the operator knows whose it is.
 * @throws AppError email_taken, weak_password
 */
export async function makeAccount(
  services: AccountServices,
  account: z.output<typeof registrationSchema>,
  role: Role,
): Promise<UserId> {
  const userId = await createAccount(services, account);
  await transaction(services.pool, SYSTEM, async (tx) => {
    await tx.update(profiles).set({ role, emailVerified: true }).where(eq(profiles.id, userId));
    const detail = { ...OPERATOR, role, ...officeOf(services, account.email, role) };
    await record(tx, { action: 'user_created', subjectId: userId, ipAddress: null, detail });
  });
  return userId;
}

/**
 * Sets a new password, and a role if one is given, on behalf of the operator. The address then counts as confirmed, as
 * that of a new account does: what somebody set up before, who may be a stranger, is removed.
 * The confirmation comes last, so that the same command run again completes an interrupted creation or reset.
 */
export async function resetAccount(
  services: AccountServices,
  account: { id: UserId; emailVerified: boolean },
  password: string,
  { role, dropTwoFactor }: { role: Role | undefined; dropTwoFactor: boolean },
): Promise<void> {
  await setPassword(services, account.id, password, {
    dropTwoFactor: dropTwoFactor || !account.emailVerified,
  });
  await confirmAddress(services, account.id, role);
}

/** Confirms the address of an account and gives it `role`, if any; a change of role ends the account's sessions. */
async function confirmAddress(
  services: AccountServices,
  userId: UserId,
  role: Role | undefined,
): Promise<void> {
  await transaction(services.pool, SYSTEM, async (tx) => {
    const [before] = await tx
      .select({ role: profiles.role, email: profiles.email, emailVerified: profiles.emailVerified })
      .from(profiles)
      .where(eq(profiles.id, userId))
      .for('update');
    if (!before) return;
    const subject = { subjectId: userId, ipAddress: null };
    if (!before.emailVerified) {
      await tx.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, userId));
      await record(tx, { ...subject, action: 'email_verified', detail: OPERATOR });
    }
    if (role === undefined || before.role === role) return;
    await tx.update(profiles).set({ role }).where(eq(profiles.id, userId));
    await endSessions(tx, userId);
    const detail = { ...OPERATOR, from: before.role, to: role, ...officeOf(services, before.email, role) };
    await record(tx, { ...subject, action: 'role_changed', detail });
  });
}
