import { randomInt, randomUUID } from 'node:crypto';
import { isAPIError } from 'better-auth/api';
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  codeLoginSchema,
  loginSchema,
  passwordChangeSchema,
  passwordResetSchema,
  registrationSchema,
} from '#contract/accounts.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { record, recordAlone, recordOnce } from '#server/auth/audit.ts';
import { type Auth, inTransaction } from '#server/auth/auth.ts';
import { findPasswordHash, isCurrentHash, proveAddress, replacePassword } from '#server/auth/credentials.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import { findRecoveredAccount, readConfirmationToken, spendRecoveryToken } from '#server/auth/links.ts';
import type { Origin } from '#server/auth/request.ts';
import { requireOpenSession, withSession } from '#server/auth/session.ts';
import { databaseFailure } from '#server/db/failure.ts';
import type { Attempt } from '#server/db/idempotency.ts';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import type { AccountMailKind } from '#server/mail/account-kinds.ts';
import type { AccountServices, Services } from '#server/services.ts';
import {
  emailExists,
  findAccountByEmail,
  findAccountOfAttempt,
  findEmailByUsername,
  findUsernamesLike,
  isErased,
} from './queries.ts';

type Login = z.output<typeof loginSchema>;
type Registration = z.output<typeof registrationSchema>;

/**
 * First step of a login (spec §5). An identifier with @ is an e-mail, any other a username. An unknown identifier takes
 * as long as a wrong password, because the library hashes in both cases.
 * @returns the cookies to set, and whether a second factor has to follow; until then the cookies give no access
 * @throws AppError username_not_found, invalid_credentials, account_suspended
 */
export async function logIn(
  services: AccountServices,
  login: Login,
  origin: Origin,
): Promise<{ cookies: string[]; twoFactor: boolean }> {
  const { auth, pool } = services;
  const email = await emailOf(services, login.identifier);
  const account = email === null ? null : await findAccountByEmail(readAs(pool, SYSTEM), email);
  const hash = account && (await findPasswordHash(auth, account.id));
  try {
    const { headers, response } = await mapAuthErrors(
      auth.api.signInEmail({
        body: { email: email ?? nobody(), password: login.password, rememberMe: login.remember },
        headers: origin.headers,
        returnHeaders: true,
      }),
    );
    const opened = 'token' in response ? response : null;
    await orEndSession(auth, opened?.token, async () => {
      if (!account || !hash || !(await isCurrentHash(auth, account.id, hash)))
        throw new AppError('invalid_credentials');
    });
    // For a second factor the library removes the previous session's cookie from the browser, but leaves the session
    // open.
    if (opened) await completeLogin(services, opened, origin, 'password');
    else await endFormerSession(services, origin);
    return { cookies: headers.getSetCookie(), twoFactor: !opened };
  } catch (error) {
    // The library rejects addresses that our forms do not accept; answer as for any unknown address.
    if (!(error instanceof AppError) && !isInvalidAddress(error)) throw error;
    await recordFailure(services, account?.id ?? null, origin, 'password');
    if (email === null) throw new AppError('username_not_found');
    throw error instanceof AppError ? error : new AppError('invalid_credentials');
  }
}

/** The e-mail that an identifier stands for, whether or not it has an account; null for an unknown username. */
async function emailOf({ pool }: AccountServices, identifier: string): Promise<string | null> {
  return identifier.includes('@')
    ? identifier.toLowerCase()
    : await findEmailByUsername(readAs(pool, SYSTEM), identifier);
}

/**
 * What guesses at the password of `identifier` are counted by: the same for the username and the e-mail of an account,
 * so that the second does not double the attempts. An identifier without an account is counted by itself.
 */
export async function guessedAccount(services: AccountServices, identifier: string): Promise<string> {
  return (await emailOf(services, identifier)) ?? identifier;
}

/** How a login is completed or fails: with the password alone, the second step after it, or a mailed code. */
type LoginStep = 'password' | 'two_factor' | 'code';

/** Records a refused attempt. The input is not stored, because it may be a password typed into the wrong field. */
export async function recordFailure(
  services: AccountServices,
  subjectId: UserId | null,
  origin: Origin,
  by: LoginStep | 'reauthentication',
): Promise<void> {
  await recordAlone(services.pool, {
    action: 'login_failed',
    subjectId,
    ipAddress: origin.ipAddress,
    detail: { by },
  });
}

/** An address that no account has. Drawn each time: one that is known could be registered, and then entered by anybody. */
const nobody = () => `${randomUUID()}@nobody.invalid`;

function isInvalidAddress(error: unknown): boolean {
  return isAPIError(error) && error.body?.code === 'INVALID_EMAIL';
}

/** A session that a login has opened. */
type Opened = { token?: string | undefined; user: { id: string } };

/** Does what is left of a login. If that fails, nobody gets the cookie of the session it has opened, which is ended. */
async function orEndSession(auth: Auth, token: string | undefined, rest: () => Promise<void>): Promise<void> {
  try {
    await rest();
  } catch (error) {
    const { adapter } = await auth.$context;
    const where = [{ field: 'token', value: token ?? '' }];
    // Without the database, it stays until it expires.
    await adapter.deleteMany({ model: 'session', where }).catch(() => undefined);
    throw error;
  }
}

/** Ends the session that the browser had before, and records a completed login, with its time (spec §3) and method. */
export async function completeLogin(
  services: AccountServices,
  { token, user }: Opened,
  origin: Origin,
  by: LoginStep,
): Promise<void> {
  const userId = user.id as UserId;
  await orEndSession(services.auth, token, async () => {
    await endFormerSession(services, origin);
    await transaction(services.pool, SYSTEM, async (tx) => {
      await tx.update(profiles).set({ lastLogin: sql`now()` }).where(eq(profiles.id, userId));
      await record(tx, {
        action: 'login',
        actorId: userId,
        subjectId: userId,
        ipAddress: origin.ipAddress,
        detail: { by },
      });
    });
  });
}

/** Ends the session that the browser had before this login, if any. */
async function endFormerSession({ auth }: AccountServices, { headers }: Origin): Promise<void> {
  if (headers.has('cookie')) await auth.api.endSession({ headers });
}

/**
 * Opens a session with a mailed code, which also proves the address: the first proof removes the credentials that were
 * set up before. An account with a second factor is never opened this way once its address is proven.
 * @returns the cookies to set
 * @throws AppError invalid_code, account_suspended
 */
export async function logInWithCode(
  services: AccountServices,
  login: z.output<typeof codeLoginSchema>,
  origin: Origin,
): Promise<string[]> {
  const account = await findAccountByEmail(readAs(services.pool, SYSTEM), login.email);
  const mayEnter = account !== null && !(account.emailVerified && account.twoFactorEnabled);
  try {
    // An address that nobody can enter by takes as long as one with a wrong code.
    const body = { email: mayEnter ? login.email : nobody(), otp: login.code };
    await mapAuthErrors(services.auth.api.verifyEmailOTP({ body }));
    if (!mayEnter) throw new AppError('invalid_code');
    const { headers, response } = await mapAuthErrors(
      services.auth.api.openSession({
        body: { userId: account.id, remember: login.remember },
        headers: origin.headers,
        returnHeaders: true,
      }),
    );
    await completeLogin(services, response, origin, 'code');
    return headers.getSetCookie();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await recordFailure(services, account?.id ?? null, origin, 'code');
    throw error.code === 'invalid_code' ? new AppError('invalid_code', { code: CODE_REFUSED }) : error;
  }
}

/** Not only once there were too many errors: without an account there never are. */
const CODE_REFUSED =
  'Il codice non è corretto o è scaduto. Dopo troppi errori non vale più: chiedine uno nuovo.';

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
  if (!subjectId || (await isErased(readAs(pool, SYSTEM), subjectId))) throw new AppError('invalid_link');
  // This comes first: if it fails, the link can still be used for another attempt.
  await proveAddress(pool, subjectId, origin.ipAddress);
  const { password: hashing } = await auth.$context;
  const hash = await hashing.hash(password);
  await inTransaction(auth, async () => {
    if (!(await spendRecoveryToken(auth, token))) throw new AppError('invalid_link');
    await replacePassword(auth, subjectId, hash);
    await recordAlone(pool, { action: 'password_reset', subjectId, ipAddress: origin.ipAddress });
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
    // Another one was set meanwhile, perhaps to shut out whoever knows this one.
    if (!former || !(await isCurrentHash(auth, userId, former)))
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
 * Ends all sessions of the actor, or all but this one, in one statement. The library's endpoint for the others deletes
 * each by itself, all at once: a person with many would occupy every connection to the database, and some might stay.
 */
async function endSessions(auth: Auth, actor: Actor, scope: 'others' | 'global'): Promise<void> {
  await requireOpenSession(auth, actor);
  const { adapter } = await auth.$context;
  const own = { field: 'userId', value: actor.userId };
  const other = { field: 'id', operator: 'ne', value: actor.sessionId } as const;
  await adapter.deleteMany({ model: 'session', where: scope === 'others' ? [own, other] : [own] });
}

/**
 * Ends sessions of the actor: 'local' this one, 'others' all but this one, 'global' all.
 * @returns the cookies to set
 * @throws AppError unauthenticated when this session has already ended and others were to be ended
 */
export async function logOut(
  services: AccountServices,
  actor: Actor,
  scope: 'local' | 'others' | 'global',
  origin: Origin,
): Promise<string[]> {
  const { auth, pool } = services;
  const { headers } = origin;
  if (scope !== 'local') await endSessions(auth, actor, scope);
  const answer = scope === 'others' ? null : await auth.api.endSession({ headers, returnHeaders: true });
  await recordAlone(pool, {
    action: scope === 'local' ? 'logout' : 'sessions_ended',
    actorId: actor.userId,
    subjectId: actor.userId,
    ipAddress: origin.ipAddress,
    detail: { scope },
  });
  return answer?.headers.getSetCookie() ?? [];
}

/**
 * A signed token that names the account of the session in `headers`. After a change of AUTH_SECRET, which the key is
 * encrypted with, the first request makes a new key.
 * @throws AppError unauthenticated
 */
export async function issueToken({ auth }: AccountServices, actor: Actor, headers: Headers) {
  const sign = () => withSession(auth, actor, mapAuthErrors(auth.api.getToken({ headers })));
  return sign().catch(async (error: unknown) => {
    const isUnreadable = error instanceof Error && error.message.startsWith('Failed to decrypt private key');
    if (!isUnreadable) throw error;
    await auth.api.makeKey();
    return sign();
  });
}
