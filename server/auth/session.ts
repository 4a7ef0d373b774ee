import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { type Actor, kindOf, type UserId } from './actor.ts';
import { SESSION_MAX_MS } from './auth.ts';
import { believableUntil } from './believed-cookies.ts';
import { readableHeaders } from './request.ts';

/**
 * Who the request's session cookie belongs to, or null. Refreshed cookies go out with the answer. An account that is
 * suspended has no session, and a session that was opened too long ago ends here.
 */
export async function sessionActor(c: Context<AppEnv>): Promise<Actor | null> {
  const { auth, env, believedCookies } = c.get('services');
  // Reads believe the signed session cookie for a minute; a write always asks whether the session still exists.
  const mayBelieve = c.req.method === 'GET';
  const header = c.req.header('cookie') ?? '';
  const known = mayBelieve ? believedCookies.find(header) : undefined;
  if (known) return known;

  const { headers, response } = await auth.api.getSession({
    headers: readableHeaders(c),
    query: { disableCookieCache: !mayBelieve },
    returnHeaders: true,
  });
  const cookies = headers.getSetCookie();
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
  if (!response || response.user.banned) return null;
  const { user, session } = response;
  const { internalAdapter, authCookies } = await auth.$context;
  const end = session.createdAt.getTime() + SESSION_MAX_MS;
  if (Date.now() > end) {
    await internalAdapter.deleteSession(session.token);
    return null;
  }
  const kind = kindOf(user, env.invoiceAdminEmail);
  const actor: Actor = { userId: user.id as UserId, kind, sessionId: session.id };
  // A signed cookie that was not believed is replaced or removed with the answer.
  if (mayBelieve && cookies.length === 0) {
    const until = believableUntil(header, authCookies.sessionData.name);
    if (until !== null) {
      believedCookies.keep(header, actor, Math.min(until, session.expiresAt.getTime(), end));
    }
  }
  return actor;
}
