import { eq, inArray, or } from 'drizzle-orm';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { type DemoAccount, demoAccounts } from '#server/demo/accounts.ts';
import { type AccountServices, createAccount, isUsernameTaken } from '#server/features/accounts/commands.ts';
import { AppError } from '#server/http/errors.ts';

/**
 * Makes the demo accounts that are missing; one query when none is. Several processes may do so at once. An address
 * that an operator's own account has is left alone.
 */
export async function ensureDemoAccounts(services: AccountServices): Promise<void> {
  const wanted = demoAccounts(services.env.invoiceAdminEmail);
  const present = await readAs(services.pool, SYSTEM)
    .select({ email: profiles.email, username: profiles.username })
    .from(profiles)
    .where(
      or(
        inArray(
          profiles.username,
          wanted.map(({ username }) => username),
        ),
        inArray(
          profiles.email,
          wanted.map(({ email }) => email),
        ),
      ),
    );
  const missing = wanted.filter(
    ({ email, username }) => !present.some((row) => row.email === email || row.username === username),
  );
  await Promise.all(missing.map((account) => makeDemoAccount(services, account)));
}

async function makeDemoAccount(services: AccountServices, account: DemoAccount): Promise<void> {
  try {
    const userId = await createAccount(services, account);
    await transaction(services.pool, SYSTEM, async (tx) => {
      await tx
        .update(profiles)
        .set({ role: account.role, emailVerified: true })
        .where(eq(profiles.id, userId));
    });
  } catch (error) {
    // Another process that starts at the same moment was quicker.
    const taken = error instanceof AppError && error.code === 'email_taken';
    if (!taken && !isUsernameTaken(error)) throw error;
  }
}
