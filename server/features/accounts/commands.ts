import { randomInt } from 'node:crypto';
import { isAPIError } from 'better-auth/api';
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { passwordChangeSchema, passwordResetSchema, registrationSchema } from '#contract/accounts.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { record, recordAlone, recordOnce } from '#server/auth/audit.ts';
import { inTransaction } from '#server/auth/auth.ts';
import {
  findPasswordHash,
  holdAccount,
  holdPassword,
  proveAddress,
  replacePassword,
} from '#server/auth/credentials.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import { findRecoveredAccount, readConfirmationToken, spendRecoveryToken } from '#server/auth/links.ts';
import type { Origin } from '#server/auth/request.ts';
import { withSession } from '#server/auth/session.ts';
import { databaseFailure } from '#server/db/failure.ts';
import type { Attempt } from '#server/db/idempotency.ts';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import { recordFailure } from '#server/features/sessions/commands.ts';
import type { AccountMailKind } from '#server/mail/account-kinds.ts';
import type { AccountServices, Services } from '#server/services.ts';
import {
  emailExists,
  findAccountByEmail,
  findAccountOfAttempt,
  findUsernamesLike,
  isErased,
} from './queries.ts';

type Registration = z.output<typeof registrationSchema>;

/**
 * A username from the local part of `email`, made unique by a number (architecture: registration does not ask for one):
 * the next one; a large one chosen at random when others took the next ones at the same moment.
 */
async function freeUsername(services: AccountServices, email: string, attempt: number): Promise<string> {
  const base = email.slice(0, Math.min(email.indexOf('@'), 60));
  if (attempt > CONSECUTIVE) return `${base}${randomInt(1_000_000, 10_000_000)}`;
  const taken = new Set(await findUsernamesLike(readAs(services.pool, SYSTEM), base));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * Creates a customer account (spec §5, Registration) with role 'user' and without a session. A mail asks to confirm the
 * address, but nothing depends on the confirmation.
 * @param attempt idempotency key: repeats with the same address create one account; null for none
 * @throws AppError email_reserved for the invoice administrator's address, email_taken
 */
export async function register(
  services: Services,
  registration: Registration,
  origin: Origin,
  attempt: Attempt | null,
): Promise<UserId> {
  refuseReserved(services, registration.email);
  const userId = await createAccount(services, registration, attempt);
  await transaction(services.pool, SYSTEM, async (tx) => {
    const event = { action: 'registered', actorId: userId, subjectId: userId } as const;
    if (!(await recordOnce(tx, { ...event, ipAddress: origin.ipAddress }))) return;
    await services.jobs.send(tx, 'accountMail', accountMailJob('verification', registration.email));
  });
  return userId;
}

/** @throws AppError email_reserved: only the operator creates the invoice administrator's account (architecture) */
export function refuseReserved(services: AccountServices, email: string): void {
  if (email === services.env.invoiceAdminEmail) throw fieldError('email_reserved', 'email');
}

/**
 * Creates an account with its password, all or nothing, with role 'user' and an unconfirmed address.
 * @param keyed idempotency key: returns the account of this address if the same key created it; null for none
 * @throws AppError email_taken, weak_password, idempotency_key_reused
 */
export async function createAccount(
  services: AccountServices,
  account: Registration & { username?: string },
  keyed: Attempt | null = null,
): Promise<UserId> {
  const system = readAs(services.pool, SYSTEM);
  for (let attempt = 1; ; attempt += 1) {
    if (await emailExists(system, account.email)) {
      const before = await findAccountOfAttempt(system, account.email, keyed);
      if (!before) throw fieldError('email_taken', 'email');
      await requireSamePassword(services, before, account.password);
      return before;
    }
    const username = account.username ?? (await freeUsername(services, account.email, attempt));
    try {
      const { user } = await mapAuthErrors(
        services.auth.api.signUpEmail({
          body: {
            email: account.email,
            password: account.password,
            name: account.fullName,
            username,
            ...(account.companyName !== null && { companyName: account.companyName }),
            ...keyed,
          },
        }),
        { weak_password: 'password' },
      );
      // If the address got an account in the meantime, the library answers the same, with the id of an account it did
      // not create.
      if ((await findAccountByEmail(system, account.email))?.id === user.id) return user.id as UserId;
    } catch (error) {
      // A username chosen by the caller is not replaced by another.
      const last = attempt === SIGN_UPS || (account.username !== undefined && isUsernameTaken(error));
      if (last || !isTaken(error)) throw error;
    }
  }
}

/**
 * Checks that an account created by an earlier attempt has the password sent now. One without a password has lost it
 * since.
 * @throws AppError idempotency_key_reused
 */
async function requireSamePassword(
  { auth }: AccountServices,
  userId: UserId,
  password: string,
): Promise<void> {
  const { password: hashing } = await auth.$context;
  const hash = await findPasswordHash(auth, userId);
  if (hash && !(await hashing.verify({ hash, password }))) throw new AppError('idempotency_key_reused');
}

/** How many usernames are tried before account creation gives up. */
const SIGN_UPS = 5;

/** The tries with the next number. */
const CONSECUTIVE = 2;

/** Whether somebody else took the username between look-up and registration. */
export function isUsernameTaken(error: unknown): boolean {
  return isAPIError(error) && error.body?.code === 'USERNAME_IS_ALREADY_TAKEN';
}

/** The unique indexes of the names that an account is entered by. */
const NAMES: ReadonlySet<string | undefined> = new Set(['profiles_email_key', 'profiles_username_key']);

/** Whether a sign-up failed because somebody else took the address or the username, even at the same moment. */
function isTaken(error: unknown): boolean {
  return isUsernameTaken(error) || NAMES.has(databaseFailure(error)?.constraint);
}

function accountMailJob(kind: AccountMailKind, email: string) {
  return { kind, email };
}

/**
 * Requests a mail for the account with `email`; returns the same whether or not there is one.
 * @param about the requesting actor and the account concerned, where known
 */
export async function requestMail(
  services: Services,
  kind: AccountMailKind,
  email: string,
  origin: Origin,
  about: { actorId?: UserId; subjectId?: UserId } = {},
): Promise<void> {
  await transaction(services.pool, SYSTEM, async (tx) => {
    await services.jobs.send(tx, 'accountMail', accountMailJob(kind, email));
    if (kind === 'recovery') {
      await record(tx, { action: 'recovery_requested', ipAddress: origin.ipAddress, ...about });
    }
  });
}

/**
 * Confirms an address with the token of its mail. Requires a session of the same account: the owner of the mailbox may
 * not be the person who registered the address, and would otherwise confirm an account whose password somebody else
 * knows.
 * @param actor signed in where the link was opened; null for nobody
 * @throws AppError invalid_link, link_needs_login
 */
export async function verifyEmail(
  services: AccountServices,
  actor: Actor | null,
  token: string,
  origin: Origin,
): Promise<void> {
  const email = await readConfirmationToken(services.auth, token);
  const account = email && (await findAccountByEmail(readAs(services.pool, SYSTEM), email));
  if (!account) throw new AppError('invalid_link');
  if (account.emailVerified) return;
  if (actor?.userId !== account.id) throw new AppError('link_needs_login');
  await transaction(services.pool, SYSTEM, async (tx) => {
    const confirmed = await tx
      .update(profiles)
      .set({ emailVerified: true, updatedAt: sql`now()` })
      .where(and(eq(profiles.id, account.id), eq(profiles.emailVerified, false)))
      .returning({ id: profiles.id });
    if (confirmed.length === 0) return;
    await record(tx, {
      action: 'email_verified',
      actorId: account.id,
      subjectId: account.id,
      ipAddress: origin.ipAddress,
    });
  });
}

/**
 * Verifies the signed-in account's password.
 * @param field next to which a refusal is shown
 * @throws AppError wrong_password, password_missing
 */
export async function reauthenticate(
  services: AccountServices,
  actor: Actor,
  password: string,
  origin: Origin,
  field = 'password',
): Promise<void> {
  await withProof(
    services,
    actor,
    origin,
    mapAuthErrors(services.auth.api.verifyPassword({ body: { password }, headers: origin.headers }), {
      wrong_password: field,
    }),
  );
}

/**
 * Awaits the proof for a sensitive change of a signed-in account; a wrong password or code is recorded as a security
 * event.
 * @throws AppError password_missing instead of wrong_password if the account has no password
 */
export async function withProof<Result>(
  services: AccountServices,
  actor: Actor,
  origin: Origin,
  proof: Promise<Result>,
): Promise<Result> {
  try {
    return await withSession(services.auth, actor, proof);
  } catch (error) {
    if (!(error instanceof AppError && WRONG.has(error.code))) throw error;
    if (error.code === 'wrong_password' && (await findPasswordHash(services.auth, actor.userId)) === null) {
      throw fieldError('password_missing', Object.keys(error.fields ?? {})[0]);
    }
    await recordFailure(services, actor.userId, origin, 'reauthentication');
    throw error;
  }
}

const WRONG: ReadonlySet<ErrorCode> = new Set(['wrong_password', 'invalid_code']);

/**
 * Changes the own password; the current one serves as re-authentication. Renews this session, ends all others and
 * revokes recovery links, all or nothing.
 * @param remember whether the renewed session is to outlive the browser's
 * @returns the cookies to set
 * @throws AppError wrong_password, password_missing
 */
export async function changePassword(
  services: AccountServices,
  actor: Actor,
  { currentPassword, password }: z.output<typeof passwordChangeSchema>,
  remember: boolean,
  origin: Origin,
): Promise<string[]> {
  const { auth, pool } = services;
  const { userId } = actor;
  const former = await findPasswordHash(auth, userId);
  await reauthenticate(services, actor, currentPassword, origin, 'currentPassword');
  const { password: hashing } = await auth.$context;
  const hash = await hashing.hash(password);
  return inTransaction(auth, async () => {
    await holdAccount(auth, userId);
    // Another one was set meanwhile, perhaps to shut out whoever knows this one.
    if (!former || !(await holdPassword(auth, userId, former)))
      throw fieldError('wrong_password', 'currentPassword');
    await replacePassword(auth, userId, hash);
    const { headers } = await mapAuthErrors(
      auth.api.openSession({ body: { userId, remember }, headers: origin.headers, returnHeaders: true }),
    );
    await recordAlone(pool, {
      action: 'password_changed',
      actorId: userId,
      subjectId: userId,
      ipAddress: origin.ipAddress,
    });
    return headers.getSetCookie();
  });
}

/**
 * Sets a new password with the token of a recovery mail, once and within the hour. Ends every session of the account
 * and revokes its other recovery links. It also proves the address: the first proof removes a second factor set up
 * before.
 * @throws AppError invalid_link
 */
export async function resetPassword(
  services: AccountServices,
  { token, password }: z.output<typeof passwordResetSchema>,
  origin: Origin,
): Promise<void> {
  const { auth, pool } = services;
  const subjectId = await findRecoveredAccount(auth, token);
  if (!subjectId) throw new AppError('invalid_link');
  // This comes first: if it fails, the link can still be used for another attempt.
  await proveAddress(pool, subjectId, origin.ipAddress);
  const { password: hashing } = await auth.$context;
  const hash = await hashing.hash(password);
  await inTransaction(auth, async () => {
    await holdAccount(auth, subjectId);
    // Hashing takes long enough for the account to be erased meanwhile.
    const isVoid = await isErased(readAs(pool, SYSTEM), subjectId);
    if (isVoid || !(await spendRecoveryToken(auth, token))) throw new AppError('invalid_link');
    await replacePassword(auth, subjectId, hash);
    await recordAlone(pool, { action: 'password_reset', subjectId, ipAddress: origin.ipAddress });
  });
}

/**
 * Gives an account a new password and ends its sessions and recovery links; removes the second factor only on request.
 * For the operator, who has verified the person's identity by other means.
 */
export async function setPassword(
  services: AccountServices,
  userId: UserId,
  password: string,
  { dropTwoFactor }: { dropTwoFactor: boolean },
): Promise<void> {
  const { internalAdapter, password: hashing, adapter } = await services.auth.$context;
  const hash = await hashing.hash(password);
  await inTransaction(services.auth, async () => {
    await holdAccount(services.auth, userId);
    await replacePassword(services.auth, userId, hash);
    if (dropTwoFactor) {
      await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
      await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] });
    }
    await recordAlone(services.pool, {
      action: 'password_reset',
      subjectId: userId,
      ipAddress: null,
      detail: { by: 'operator', dropTwoFactor },
    });
  });
}
