import { generateRandomString, signJWT, verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';
import { ACCOUNT_MAIL_MINUTES } from '#server/mail/account-kinds.ts';
import type { UserId } from './actor.ts';
import type { Auth } from './auth.ts';

/** Under which name the library looks for the token of a recovery, when it sets the new password. */
const recoveryOf = (token: string) => `reset-password:${token}`;

/** Makes the token of a recovery mail: it sets a password once. */
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

/** Whose password a recovery token sets, which stays good; null when it sets none. */
export async function findRecoveredAccount(auth: Auth, token: string): Promise<UserId | null> {
  const { internalAdapter } = await auth.$context;
  const link = await internalAdapter.findVerificationValue(recoveryOf(token));
  return link && link.expiresAt > new Date() ? (link.value as UserId) : null;
}

/**
 * Takes from an account whose password was changed what a stranger may hold: other recovery links, and logins by the
 * password before that wait for their second factor.
 */
export async function revokeLinks(auth: Auth, userId: UserId): Promise<void> {
  const { adapter } = await auth.$context;
  // Only hashes are kept of what they were made for; whose they are stands in them all.
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: userId }] });
}

const confirmation = z.object({ email: z.string() });

/** Makes the token of the mail that confirms an address. */
export async function makeConfirmationToken(auth: Auth, email: string): Promise<string> {
  const { secret } = await auth.$context;
  return signJWT({ email }, secret, ACCOUNT_MAIL_MINUTES.verification * 60);
}

/** The address that a token confirms; null when it confirms none. */
export async function readConfirmationToken(auth: Auth, token: string): Promise<string | null> {
  const { secret } = await auth.$context;
  return confirmation.safeParse(await verifyJWT(token, secret)).data?.email ?? null;
}
