import { randomBytes } from 'node:crypto';
import { eq, inArray, or, sql } from 'drizzle-orm';
import type { Attempt } from '#server/db/idempotency.ts';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { createAccount, isUsernameTaken, setPassword } from '#server/features/accounts/commands.ts';
import type { AccountServices, Services } from '#server/services.ts';
import { type DemoAccount, demoAccounts } from './accounts.ts';
import { seedExample } from './example.ts';

/** Marks an account that was created here, so that one can be completed whose creation was interrupted. */
const CREATION: Attempt = {
  idempotencyKey: '6f0f3b0e-6f0a-4c39-9f0e-3d8c52a9d1b7',
  idempotencyDigest: 'demo',
};

/**
 * Creates the demo accounts that are missing, and completes those whose creation was interrupted; one query when there are
 * none. Several processes may call it at once. An address used by an operator's own account is left alone.
 * @throws the first failure, once none of the accounts is still being created
 */
export async function ensureDemoAccounts(services: AccountServices): Promise<void> {
  const wanted = demoAccounts(services.env.invoiceAdminEmail);
  const present = await readAs(services.pool, SYSTEM)
    .select({
      email: profiles.email,
      username: profiles.username,
      isIncomplete: sql<boolean>`${eq(profiles.idempotencyKey, CREATION.idempotencyKey)} and not ${profiles.emailVerified}`,
    })
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
    ({ email, username }) =>
      !present.some((row) => !row.isIncomplete && (row.email === email || row.username === username)),
  );
  // One that goes on after this call has failed would look to the next call like another process that creates it.
  const outcomes = await Promise.allSettled(missing.map((account) => makeDemoAccount(services, account)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Recreates the demo account that a login asks for, if demo accounts are enabled (spec §9): a visitor may have deleted
 * it since the start. A login of the customer waits until its records exist again, because Home would show an account
 * without any.
 * @param identifier e-mail or username, as typed
 */
export async function ensureDemoAccountOf(services: Services, identifier: string): Promise<void> {
  if (!services.env.demo) return;
  const typed = identifier.toLowerCase();
  const wanted = demoAccounts(services.env.invoiceAdminEmail).find(
    ({ email, username }) => typed === email || typed === username,
  );
  if (!wanted) return;
  await ensureDemoAccounts(services);
  if (wanted.role === 'user') await seedExample(services);
}

async function makeDemoAccount(services: AccountServices, account: DemoAccount): Promise<void> {
  try {
    const userId = await createAccount(services, account, CREATION);
    await transaction(services.pool, SYSTEM, async (tx) => {
      await tx
        .update(profiles)
        .set({ role: account.role, emailVerified: true })
        .where(eq(profiles.id, userId));
    });
  } catch (error) {
    // Another process that started at the same moment created it first, or its password was changed since.
    const taken = error instanceof AppError && ['email_taken', 'idempotency_key_reused'].includes(error.code);
    if (!taken && !isUsernameTaken(error)) throw error;
  }
}

/**
 * Replaces the public passwords of the demo accounts that an earlier start created, and ends their sessions. An account
 * with a password of its own keeps it.
 * @returns the usernames that still had the public password
 */
export async function closeDemoAccounts(services: AccountServices): Promise<string[]> {
  const { internalAdapter, password: hashing } = await services.auth.$context;
  const passwords = new Map(
    demoAccounts(services.env.invoiceAdminEmail).map(({ username, password }) => [username, password]),
  );
  const present = await readAs(services.pool, SYSTEM)
    .select({ id: profiles.id, username: profiles.username })
    .from(profiles)
    .where(inArray(profiles.username, [...passwords.keys()]))
    .orderBy(profiles.username);
  const closed: string[] = [];
  for (const { id, username } of present) {
    const password = passwords.get(username) ?? '';
    const hash = (await internalAdapter.findCredentialAccount(id))?.password;
    if (!hash || !(await hashing.verify({ hash, password }))) continue;
    await setPassword(services, id, randomBytes(32).toString('base64url'), { dropTwoFactor: false });
    closed.push(username);
  }
  return closed;
}
