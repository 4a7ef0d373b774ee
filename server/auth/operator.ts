import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Role, registrationSchema } from '#contract/accounts.ts';
import { profiles } from '#server/db/schema.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { type AccountServices, createAccount } from '#server/features/accounts/commands.ts';
import type { UserId } from './actor.ts';
import { record } from './audit.ts';
import { endSessions } from './credentials.ts';

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
 * Gives an account a role on behalf of the operator, whoever else is administrator; does nothing if it has that role.
 * An administrator's address counts as confirmed, because the operator knows whose it is. Ends the account's sessions,
 * as a change by an administrator does.
 */
export async function giveRole(services: AccountServices, userId: UserId, role: Role): Promise<void> {
  await transaction(services.pool, SYSTEM, async (tx) => {
    const [before] = await tx
      .select({ role: profiles.role, email: profiles.email })
      .from(profiles)
      .where(eq(profiles.id, userId))
      .for('update');
    if (!before || before.role === role) return;
    const vouched = role === 'admin' ? { emailVerified: true } : {};
    await tx
      .update(profiles)
      .set({ role, ...vouched })
      .where(eq(profiles.id, userId));
    await endSessions(tx, userId);
    const detail = { ...OPERATOR, from: before.role, to: role, ...officeOf(services, before.email, role) };
    await record(tx, { action: 'role_changed', subjectId: userId, ipAddress: null, detail });
  });
}
