import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerAddress } from '#server/http/rate-limit.ts';
import type { Auth } from './auth.ts';
import { believableUntil } from './believed-cookies.ts';

/** Where a request comes from: what the accounts service reads, and the address for the audit table. */
export type Origin = { headers: Headers; ipAddress: string };

/** The accounts service fails on a signed session cookie that cannot be one of its own, where it should only not believe it. */
function isReadable(cookie: string): boolean {
  const [name = ''] = cookie.trim().split('=', 1);
  return !name.endsWith('session_data') || believableUntil(cookie, name) !== null;
}

/** The headers of a request, with those cookies that the accounts service can read. */
export function readableHeaders(c: Context<AppEnv>): Headers {
  const headers = new Headers(c.req.raw.headers);
  const cookies = headers.get('cookie');
  if (cookies !== null) headers.set('cookie', cookies.split(';').filter(isReadable).join(';'));
  return headers;
}

/** The origin of a request. The address in its headers is the one we trust, whatever the caller wrote there. */
export function originOf(c: Context<AppEnv>): Origin {
  const ipAddress = callerAddress(c);
  const headers = readableHeaders(c);
  headers.set('x-forwarded-for', ipAddress);
  return { headers, ipAddress };
}

/**
 * The same request from a browser that has no session: for the second step of a login, which the accounts service would
 * otherwise take for a change to the account of that session, and count no wrong code.
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
