import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerAddress } from '#server/http/rate-limit.ts';
import type { Auth } from './auth.ts';
import { trustedUntil } from './verified-cookies.ts';

/** Where a request comes from: the headers for the accounts service, and the address for the audit table. */
export type Origin = { headers: Headers; ipAddress: string };

/**
 * Whether the accounts service can read a cookie. It fails on a malformed signed session cookie, which it should only
 * not believe, whole or in the numbered pieces that it makes of a long one. No piece can be judged alone, and ours are
 * not long.
 */
function isReadable(cookie: string): boolean {
  const [name = ''] = cookie.trim().split('=', 1);
  if (/session_data\.\d+$/.test(name)) return false;
  return !name.endsWith('session_data') || trustedUntil(cookie, name) !== null;
}

/** The headers of a request, without cookies that the accounts service cannot read. */
export function readableHeaders(c: Context<AppEnv>): Headers {
  const headers = new Headers(c.req.raw.headers);
  const cookies = headers.get('cookie');
  if (cookies !== null) headers.set('cookie', cookies.split(';').filter(isReadable).join(';'));
  return headers;
}

/** The origin of a request. X-Forwarded-For in its headers is the address we trust, whatever the caller sent. */
export function originOf(c: Context<AppEnv>): Origin {
  const ipAddress = callerAddress(c);
  const headers = readableHeaders(c);
  headers.set('x-forwarded-for', ipAddress);
  return { headers, ipAddress };
}

/**
 * The same request without session cookies, for the second step of a login: with a session, the accounts service would
 * treat it as a change to that session's account, and not count wrong codes.
 */
export async function withoutSession(auth: Auth, { headers, ipAddress }: Origin): Promise<Origin> {
  const { authCookies } = await auth.$context;
  const isOfSession = (cookie: string) =>
    [authCookies.sessionToken.name, authCookies.sessionData.name].some((name) =>
      cookie.trim().startsWith(name),
    );
  const kept = new Headers(headers);
  const cookies = headers.get('cookie')?.split(';') ?? [];
  kept.set('cookie', cookies.filter((cookie) => !isOfSession(cookie)).join(';'));
  return { headers: kept, ipAddress };
}

/** Sends `cookies` with the answer. */
export function setCookies(c: Context<AppEnv>, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
