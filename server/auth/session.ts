import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import type { Actor, UserId } from './actor.ts';
import { SESSION_MAX_MS } from './auth.ts';

/**
 * Who the request's session cookie belongs to, or null. Refreshed cookies go out with the answer. An account that is
 * suspended has no session, and a session that was opened too long ago ends here.
 */
export async function sessionActor(c: Context<AppEnv>): Promise<Actor | null> {
  const { auth, env } = c.get('services');
  const { headers, response } = await auth.api.getSession({
    headers: c.req.raw.headers,
    // Reads believe the signed session cookie for a minute; a write always asks whether the session still exists.
    query: { disableCookieCache: c.req.method !== 'GET' },
    returnHeaders: true,
  });
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  if (!response || response.user.banned) return null;
  const { user, session } = response;
  if (Date.now() - session.createdAt.getTime() > SESSION_MAX_MS) {
    const { internalAdapter } = await auth.$context;
    await internalAdapter.deleteSession(session.token);
    return null;
  }
  const kind =
    user.email === env.invoiceAdminEmail ? 'invoiceAdmin' : user.role === 'admin' ? 'admin' : 'user';
  return { userId: user.id as UserId, kind, sessionId: session.id };
}
