import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerAddress, forgetRate, limitRate } from '#server/http/rate-limit.ts';

const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Many calls from one address: a whole office at work, or somebody who tries one account after the other. */
export function limitAddress(
  c: Context<AppEnv>,
  action: 'login' | 'link' | 'mail' | 'register',
): Promise<void> {
  const [points, slowAfter] = action === 'register' ? [30, 10] : [100, 50];
  const key = `${action}:from:${callerAddress(c)}`;
  return limitRate(c, { key, points, slowAfter, seconds: QUARTER_HOUR });
}

/**
 * Guesses at one account (an identifier or an account's id), wherever they come from: ten in a quarter of an hour, slower
 * from the sixth on.
 * @returns what clears the count, for whoever did not guess
 */
export async function limitGuesses(
  c: Context<AppEnv>,
  account: string,
): Promise<{ forget(): Promise<void> }> {
  const key = `guess:${account.toLowerCase()}`;
  await limitRate(c, { key, points: 10, slowAfter: 5, seconds: QUARTER_HOUR });
  return { forget: () => forgetRate(c, key) };
}

/** Mail that one address can be made to receive. */
export function limitMail(c: Context<AppEnv>, email: string): Promise<void> {
  return limitRate(c, { key: `mail:to:${email}`, points: 5, slowAfter: 2, seconds: HOUR });
}
