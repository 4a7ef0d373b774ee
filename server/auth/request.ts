import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerAddress } from '#server/http/rate-limit.ts';
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

/** Sends `cookies` with the answer. */
export function setCookies(c: Context<AppEnv>, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
