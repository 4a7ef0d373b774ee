import { generateRandomString, signJWT, verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';
import { ACCOUNT_MAIL_MINUTES } from '#server/mail/account-kinds.ts';
import type { UserId } from './actor.ts';
import type { Auth } from './auth.ts';

/** The name under which the library stores a recovery token. */
const recoveryOf = (token: string) => `reset-password:${token}`;

/** Creates the token of a recovery mail, which sets a password once. */
export async function makeRecoveryToken(auth: Auth, userId: UserId): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const token = generateRandomString(32, 'a-z', 'A-Z', '0-9');
  await internalAdapter.createVerificationValue({
    identifier: recoveryOf(token),
    value: userId,
    expiresAt: new Date(Date.now() + ACCOUNT_MAIL_MINUTES.recovery * 60_000),
  });
  return token;
}

/** The account whose password a recovery token sets; null when it sets none. Does not use up the token. */
export async function findRecoveredAccount(auth: Auth, token: string): Promise<UserId | null> {
  const { internalAdapter } = await auth.$context;
  const link = await internalAdapter.findVerificationValue(recoveryOf(token));
  return link && link.expiresAt > new Date() ? (link.value as UserId) : null;
}

/** Uses up a recovery token. @returns whether it was still good */
export async function spendRecoveryToken(auth: Auth, token: string): Promise<boolean> {
  const { internalAdapter } = await auth.$context;
  return (await internalAdapter.consumeVerificationValue(recoveryOf(token))) !== null;
}

/**
 * Revokes what a stranger may hold of an account whose password was changed: other recovery links, and logins with the
 * former password that wait for their second factor.
 */
export async function revokeLinks(auth: Auth, userId: UserId): Promise<void> {
  const { adapter } = await auth.$context;
  // The purpose of an entry is stored only as a hash, but its value is always the account's id.
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: userId }] });
}

const confirmation = z.object({ email: z.string() });

/** Creates the token of the mail that confirms an address. */
export async function makeConfirmationToken(auth: Auth, email: string): Promise<string> {
  const { secret } = await auth.$context;
  return signJWT({ email }, secret, ACCOUNT_MAIL_MINUTES.verification * 60);
}

/** The address that a token confirms; null when it confirms none. */
export async function readConfirmationToken(auth: Auth, token: string): Promise<string | null> {
  const { secret } = await auth.$context;
  return confirmation.safeParse(await verifyJWT(token, secret)).data?.email ?? null;
}
