import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerLine, forgetRate, limitRate } from '#server/http/rate-limit.ts';

const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Many calls from one address: a whole office at work, or somebody who tries one account after the other. */
export function limitAddress(
  c: Context<AppEnv>,
  action: 'login' | 'link' | 'mail' | 'register',
): Promise<void> {
  const [points, slowAfter] = action === 'register' ? [30, 10] : [100, 50];
  const key = `${action}:from:${callerLine(c)}`;
  return limitRate(c, { key, points, slowAfter, seconds: QUARTER_HOUR });
}

/**
 * Guesses at one account (an identifier or an account's id). Those from one address: ten in a quarter of an hour, slower
 * from the sixth on. Whoever guesses there keeps nobody out elsewhere; only those from many addresses at once add up to a
 * hundred, which stops all.
 * @returns what clears the count of this address, for whoever did not guess
 */
export async function limitGuesses(
  c: Context<AppEnv>,
  account: string,
): Promise<{ forget(): Promise<void> }> {
  const everywhere = `guess:${account.toLowerCase()}`;
  const here = `${everywhere}:from:${callerLine(c)}`;
  // In this order: a call that its own address has no more of does not count against the others.
  await limitRate(c, { key: here, points: 10, slowAfter: 5, seconds: QUARTER_HOUR });
  await limitRate(c, { key: everywhere, points: 100, slowAfter: 50, seconds: QUARTER_HOUR });
  return { forget: () => forgetRate(c, here) };
}

/** Mail that one address can be made to receive. */
export function limitMail(c: Context<AppEnv>, email: string): Promise<void> {
  return limitRate(c, { key: `mail:to:${email}`, points: 5, slowAfter: 2, seconds: HOUR });
}
