import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerAddress } from '#server/http/rate-limit.ts';

/** Where a request comes from: what the accounts service reads, and the address for the audit table. */
export type Origin = { headers: Headers; ipAddress: string };

/** The origin of a request. The address in its headers is the one we trust, whatever the caller wrote there. */
export function originOf(c: Context<AppEnv>): Origin {
  const ipAddress = callerAddress(c);
  const headers = new Headers(c.req.raw.headers);
  headers.set('x-forwarded-for', ipAddress);
  return { headers, ipAddress };
}

/** Sends `cookies` with the answer. */
export function setCookies(c: Context<AppEnv>, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
