import type { Context } from 'hono';
import type { AppEnv } from '#server/http/env.ts';
import { callerLine, forgetRate, limitRate } from '#server/http/rate-limit.ts';

const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Limits calls from one address, which may be a whole office, or somebody who tries one account after the other. */
export function limitAddress(
  c: Context<AppEnv>,
  action: 'login' | 'link' | 'mail' | 'register',
): Promise<void> {
  const [points, slowAfter] = action === 'register' ? [30, 10] : [100, 50];
  const key = `${action}:from:${callerLine(c)}`;
  return limitRate(c, { key, points, slowAfter, seconds: QUARTER_HOUR });
}

/**
 * Limits guesses at one account (its e-mail, an unknown username, or its id): from one address ten in a quarter of an hour,
 * slower from the sixth on. One address cannot lock out others; only guesses from many addresses at once add up to a
 * hundred, which stops everybody.
 * @returns `forget`, which clears the count of this address, for a caller who did not guess
 */
export async function limitGuesses(
  c: Context<AppEnv>,
  account: string,
): Promise<{ forget(): Promise<void> }> {
  const everywhere = `guess:${account.toLowerCase()}`;
  const here = `${everywhere}:from:${callerLine(c)}`;
  // In this order, so that a call refused for its own address does not count against the others.
  await limitRate(c, { key: here, points: 10, slowAfter: 5, seconds: QUARTER_HOUR });
  await limitRate(c, { key: everywhere, points: 100, slowAfter: 50, seconds: QUARTER_HOUR });
  return { forget: () => forgetRate(c, here) };
}

/**
 * Limits guesses at the password and the code of the signed-in account, where both are asked for. The codes are counted
 * on their own, so that whoever knows the password cannot clear their count by proving it elsewhere.
 * @returns `forget`, which clears both counts, for a caller who proved both
 */
export async function limitProofs(c: Context<AppEnv>, userId: string): Promise<{ forget(): Promise<void> }> {
  const passwords = await limitGuesses(c, userId);
  const codes = await limitGuesses(c, `${userId}:code`);
  return {
    forget: async () => {
      await passwords.forget();
      await codes.forget();
    },
  };
}

/** Limits the mail that callers can have sent to one address. */
export function limitMail(c: Context<AppEnv>, email: string): Promise<void> {
  return limitRate(c, { key: `mail:to:${email}`, points: 5, slowAfter: 2, seconds: HOUR });
}
