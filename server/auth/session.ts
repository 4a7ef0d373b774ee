import { isAPIError } from 'better-auth/api';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from '#server/http/env.ts';
import { type Actor, kindOf, type UserId } from './actor.ts';
import { type Auth, LAST_MS, PROLONGED_MS } from './auth.ts';
import { readableHeaders, setCookies } from './request.ts';
import { trustedUntil } from './verified-cookies.ts';

/**
 * The session of the cookie in `headers`, prolonged if it is remembered, a day has passed and it may last a day longer, or null; and the cookies to set.
 * @param believed whether its signed cookie suffices
 */
export async function findSession(auth: Auth, headers: Headers, believed: boolean) {
  const query = { disableCookieCache: !believed };
  const ask = async (method: 'GET' | 'POST') => {
    const answer = await auth.api.getSession({ method, headers, query, returnHeaders: true });
    return { session: answer.response, cookies: answer.headers.getSetCookie() };
  };
  const found = await ask('GET');
  if (found.session && !isDue(found.session)) return found;
  // The library prolongs a session, and deletes one that has expired, only when it is asked like this.
  return ask('POST').catch((error: unknown) => {
    // Ended after it was found, before it was prolonged.
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') return { session: null, cookies: [] };
    throw error;
  });
}

type Found = { needsRefresh?: boolean; session: { createdAt: Date; expiresAt: Date } };

/**
 * Whether a session is to be prolonged. The library says so at each request once the ninety days leave less
 * than it would give.
 */
function isDue({ needsRefresh, session: { createdAt, expiresAt } }: Found): boolean {
  return needsRefresh === true && createdAt.getTime() + LAST_MS - expiresAt.getTime() >= PROLONGED_MS;
}

/**
 * The actor of the request's session cookie, or null. Refreshed cookies are sent with the answer. A suspended account
 * has no session.
 */
export async function sessionActor(c: Context<AppEnv>): Promise<Actor | null> {
  const { auth, env, verifiedCookies } = c.get('services');
  // A customer's reads believe the signed session cookie for a minute; a write always checks that the session still exists.
  const mayBelieve = c.req.method === 'GET';
  const header = c.req.header('cookie') ?? '';
  const known = mayBelieve ? verifiedCookies.find(header) : undefined;
  if (known) return (await mayReadBelieved(auth, known)) ? known : null;

  const { session: found, cookies } = await findSession(auth, readableHeaders(c), mayBelieve);
  setCookies(c, cookies);
  if (!found || found.user.banned) return null;
  const { user, session } = found;
  const kind = kindOf(user, env.invoiceAdminEmail);
  const actor: Actor = { userId: user.id as UserId, kind, sessionId: session.id };
  // If the signed cookie was not believed, the answer replaces or removes it.
  if (mayBelieve && cookies.length === 0) {
    const { authCookies } = await auth.$context;
    const until = trustedUntil(header, authCookies.sessionData.name);
    if (until !== null) verifiedCookies.keep(header, actor, Math.min(until, session.expiresAt.getTime()));
    if (!(await mayReadBelieved(auth, actor))) return null;
  }
  return actor;
}

/**
 * Whether a cookie that was not checked in the database suffices to read. It does for customers, who read only what is
 * their own. Administrators read what belongs to others, and must not for another minute once their role, and with it
 * their session, is taken from them.
 */
async function mayReadBelieved(auth: Auth, actor: Actor): Promise<boolean> {
  return actor.kind === 'user' || (await isOpen(auth, actor));
}

/** Whether the session of the request was to be remembered, and so outlives the browser's. */
export async function isRemembered(c: Context<AppEnv>): Promise<boolean> {
  const { authCookies } = await c.get('services').auth.$context;
  return getCookie(c, authCookies.dontRememberToken.name) === undefined;
}

async function isOpen(auth: Auth, { sessionId }: Actor): Promise<boolean> {
  const { adapter } = await auth.$context;
  return (await adapter.count({ model: 'session', where: [{ field: 'id', value: sessionId }] })) > 0;
}

/**
 * Checks in the database that the session of `actor` has not ended since its request began: for each part of an answer
 * that takes long.
 * @throws AppError unauthenticated
 */
export async function requireOpenSession(auth: Auth, actor: Actor): Promise<void> {
  if (!(await isOpen(auth, actor))) throw new AppError('unauthenticated');
}

/** What the accounts library says of a request whose session it could not find. */
const WITHOUT_SESSION: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'two_factor_expired']);

/**
 * Awaits a call that the accounts library makes for the session of `actor`. A session that it could not read, because the database
 * was lost, is none to the library: asked again, so that nobody is sent to the login who is signed in.
 * @throws AppError unauthenticated when the session has ended, unavailable when it could not be read
 */
export async function withSession<Result>(auth: Auth, actor: Actor, call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AppError && WITHOUT_SESSION.has(error.code))) throw error;
    await requireOpenSession(auth, actor);
    throw new AppError('unavailable');
  }
}
