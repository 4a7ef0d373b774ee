import { randomUUID } from 'node:crypto';
import { isAPIError } from 'better-auth/api';
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { codeLoginSchema, loginSchema } from '#contract/accounts.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { record, recordAlone } from '#server/auth/audit.ts';
import { type Auth, inTransaction, SHORT_SESSION_MS } from '#server/auth/auth.ts';
import { findPasswordHash, holdAccount, holdPassword } from '#server/auth/credentials.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import type { Origin } from '#server/auth/request.ts';
import { findSession, requireOpenSession } from '#server/auth/session.ts';
import { profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { findAccountByEmail, findEmailByUsername } from '#server/features/accounts/queries.ts';
import type { AccountServices } from '#server/services.ts';

type Login = z.output<typeof loginSchema>;

/**
 * First step of a login (spec §5). An identifier with @ is an e-mail, any other a username. An unknown identifier takes
 * as long as a wrong password, because the library hashes in both cases.
 * @returns the cookies to set, and whether a second factor has to follow; until then the cookies give no access
 * @throws AppError username_not_found, invalid_credentials, account_suspended, unauthenticated
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
      if (!account || !hash || !(await holdPassword(auth, account.id, hash)))
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

/** A session that a login has opened, and the account as its signed cookie describes it. */
type Opened = { token?: string | undefined; user: { id: string; role?: string | null | undefined } };

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

/**
 * Ends the session that the browser had before, and records a completed login, with its time (spec §3) and method.
 * @throws AppError account_suspended when the account was suspended or erased as the login was under way, unauthenticated when its
 *   role was changed: the change did not end a session that was stored after it, whose cookie would be believed for a minute
 */
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
      const [entered] = await tx
        .update(profiles)
        .set({ lastLogin: sql`now()` })
        .where(and(eq(profiles.id, userId), eq(profiles.banned, false)))
        .returning({ role: profiles.role });
      if (!entered) throw new AppError('account_suspended');
      if (entered.role !== user.role) throw new AppError('unauthenticated');
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
 * @throws AppError invalid_code, account_suspended, unauthenticated
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
 * Ends one session of the actor.
 * @throws AppError session_not_found when it has ended or belongs to somebody else, unauthenticated when the actor's
 *   own session has ended
 */
export async function endSession(
  services: AccountServices,
  actor: Actor,
  id: string,
  { ipAddress }: Origin,
): Promise<void> {
  const { auth, pool } = services;
  await requireOpenSession(auth, actor);
  const { adapter } = await auth.$context;
  // Not by the library's endpoint, which hides why a session could not be deleted.
  const ended = await adapter.deleteMany({
    model: 'session',
    where: [
      { field: 'id', value: id },
      { field: 'userId', value: actor.userId },
    ],
  });
  if (ended === 0) throw new AppError('session_not_found');
  await recordAlone(pool, {
    action: 'sessions_ended',
    actorId: actor.userId,
    subjectId: actor.userId,
    ipAddress,
    detail: { scope: 'one' },
  });
}

/**
 * Checks the session against the database, records its use and extends it: to a day from now; to 30 days if it is
 * remembered and was last extended more than a day ago. Never beyond ninety days from its login.
 * @returns the cookies to set, and when the session expires unless refreshed again
 * @throws AppError unauthenticated
 */
export async function refreshSession(
  services: AccountServices,
  origin: Origin,
): Promise<{ expiresAt: Date; cookies: string[] }> {
  const { auth } = services;
  const { session: found, cookies } = await findSession(auth, origin.headers, false);
  if (!found) throw new AppError('unauthenticated');
  const { token, expiresAt } = found.session;
  // The library only extends remembered sessions.
  const prolonged = new Date(Math.max(expiresAt.getTime(), Date.now() + SHORT_SESSION_MS));
  const { internalAdapter } = await auth.$context;
  const open = await internalAdapter.updateSession(token, { expiresAt: prolonged, updatedAt: new Date() });
  if (!open) throw new AppError('unauthenticated');
  return { expiresAt: open.expiresAt, cookies };
}

/**
 * Ends all sessions of the actor, or all but this one, in one statement. The library's endpoint for the others deletes
 * each by itself, all at once: a person with many would occupy every connection to the database, and some might stay.
 */
async function endSessions(auth: Auth, actor: Actor, scope: 'others' | 'global'): Promise<void> {
  const { adapter } = await auth.$context;
  const own = { field: 'userId', value: actor.userId };
  const other = { field: 'id', operator: 'ne', value: actor.sessionId } as const;
  await inTransaction(auth, async () => {
    await holdAccount(auth, actor.userId);
    await requireOpenSession(auth, actor);
    await adapter.deleteMany({ model: 'session', where: scope === 'others' ? [own, other] : [own] });
  });
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
