import { isAPIError } from 'better-auth/api';
import { toString as drawQrCode } from 'qrcode';
import { type BothFactors, CODE_MISSING, type Enrolment, type Ownership } from '#contract/two-factor.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { type AuditAction, recordAlone } from '#server/auth/audit.ts';
import { inTransaction } from '#server/auth/auth.ts';
import { holdAccount } from '#server/auth/credentials.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import { type Origin, withoutSession } from '#server/auth/request.ts';
import { withSession } from '#server/auth/session.ts';
import { isFirst, undoFirst } from '#server/db/counters.ts';
import { readAs, scopeOf } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import { reauthenticate, withProof } from '#server/features/accounts/commands.ts';
import { findMe } from '#server/features/accounts/queries.ts';
import { completeLogin, recordFailure } from '#server/features/sessions/commands.ts';
import type { AccountServices } from '#server/services.ts';

/** Shown at the code's field when nothing stored can be compared with any code. */
const FACTOR_UNREADABLE = 'La verifica in due passaggi va configurata di nuovo. Contatta il supporto.';

/**
 * Longer than an authenticator code is accepted: its own half minute and, for clock drift, the ones before and after.
 */
const CODE_SECONDS = 120;

/**
 * Verifies an authenticator code and marks it as used if accepted, so that somebody who saw it being typed cannot use
 * it too. A rejected code stays usable, because the rejection may be due to too many wrong codes before it.
 * @param verify checks the code
 * @throws AppError invalid_code when it was used before or is being verified, and what `verify` throws
 */
async function spend<Result>(
  { pool }: AccountServices,
  userId: string,
  code: string,
  verify: () => Promise<Result>,
): Promise<Result> {
  const key = `totp:${userId}:${code}`;
  // Marked before verification, so that of two concurrent uses at most one succeeds.
  if (!(await isFirst(pool, key, CODE_SECONDS))) throw fieldError('invalid_code', 'code');
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AppError) await undoFirst(pool, key);
    throw error;
  }
}

/**
 * Verifies an authenticator or recovery code; each works once.
 * @param userId the account it must belong to
 * @throws AppError invalid_code, two_factor_expired, two_factor_attempts, too_many_requests
 */
async function takeCode(services: AccountServices, userId: string, code: string, { headers }: Origin) {
  const { api } = services.auth;
  const call = { body: { code }, headers, returnHeaders: true } as const;
  const verified = <Result>(verification: Promise<Result>) =>
    mapAuthErrors(verification, { invalid_code: 'code' }).catch((error: unknown) => {
      // Another request used a recovery code of this account at the same moment.
      if (isAPIError(error) && error.status === 'CONFLICT') throw fieldError('invalid_code', 'code');
      // The library's cipher says so of what another AUTH_SECRET has encrypted.
      if (error instanceof Error && error.message === 'invalid tag')
        throw new AppError('invalid_code', { code: FACTOR_UNREADABLE });
      throw error;
    });
  return code.includes('-')
    ? verified(api.verifyBackupCode(call))
    : spend(services, userId, code, () => verified(api.verifyTOTP(call)));
}

/**
 * Verifies both factors of the signed-in account, so that a stolen session cannot remove the second factor, even with
 * the password. A wrong password does not use up the code.
 * @throws AppError wrong_password, password_missing, invalid_code, two_factor_inactive
 */
async function proveBoth(
  services: AccountServices,
  actor: Actor,
  { password, code }: BothFactors,
  origin: Origin,
): Promise<void> {
  const me = await findMe(readAs(services.pool, scopeOf(actor)), actor);
  if (!me?.twoFactorEnabled) throw new AppError('two_factor_inactive');
  await reauthenticate(services, actor, password, origin);
  await withProof(services, actor, origin, takeCode(services, actor.userId, code, origin));
}

/**
 * Verifies that the caller owns the account: by its password and, where the second factor is on, a code, without which
 * somebody at an unlocked device who knows the password would pass. A wrong password does not use up the code.
 * @throws AppError wrong_password, password_missing, invalid_code
 */
export async function proveOwnership(
  services: AccountServices,
  actor: Actor,
  { password, code }: Ownership,
  origin: Origin,
): Promise<void> {
  const me = await findMe(readAs(services.pool, scopeOf(actor)), actor);
  await reauthenticate(services, actor, password, origin);
  if (!me?.twoFactorEnabled) return;
  if (code === undefined) throw new AppError('invalid_code', { code: CODE_MISSING });
  await withProof(services, actor, origin, takeCode(services, actor.userId, code, origin));
}

/**
 * Starts an enrolment: stores the secret, which logins only require once its first code is confirmed. Starting again
 * replaces it.
 * @throws AppError wrong_password, password_missing, two_factor_active
 */
export async function enrol(
  services: AccountServices,
  actor: Actor,
  password: string,
  origin: Origin,
): Promise<Enrolment> {
  const { auth } = services;
  await reauthenticate(services, actor, password, origin);
  const answer = await inTransaction(auth, async () => {
    // Of two that start at the same moment, the second replaces the first, unless that is confirmed in between.
    await holdAccount(auth, actor.userId);
    const enabling = auth.api.enableTwoFactor({
      body: { password, method: 'totp' },
      headers: origin.headers,
    });
    return withSession(auth, actor, mapAuthErrors(enabling, { wrong_password: 'password' }));
  });
  if (answer.method !== 'totp') throw new Error('The accounts service enrolled another kind of factor');
  return {
    uri: answer.totpURI,
    secret: new URL(answer.totpURI).searchParams.get('secret') ?? '',
    qrCode: await drawQrCode(answer.totpURI, { type: 'svg', margin: 0 }),
    recoveryCodes: answer.backupCodes,
  };
}

/**
 * Confirms an enrolment with the first authenticator code; from then on logins require one. Renews the session. All or
 * nothing: a factor that is required but not confirmed would lock the account.
 * @returns the cookies to set
 * @throws AppError invalid_code, two_factor_active, two_factor_inactive when no enrolment was started
 */
export async function confirm(
  services: AccountServices,
  actor: Actor,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const me = await findMe(readAs(services.pool, scopeOf(actor)), actor);
  if (me?.twoFactorEnabled) throw new AppError('two_factor_active');
  return inTransaction(services.auth, async () => {
    await holdAccount(services.auth, actor.userId);
    const confirmed = takeCode(services, actor.userId, code, origin);
    const { headers } = await withSession(services.auth, actor, confirmed);
    await recordOwn(services, 'two_factor_enabled', actor, origin);
    return headers.getSetCookie();
  });
}

/**
 * Switches the second factor off and renews the session, all or nothing.
 * @returns the cookies to set
 * @throws AppError wrong_password, password_missing, invalid_code, two_factor_inactive
 */
export async function disable(
  services: AccountServices,
  actor: Actor,
  proof: BothFactors,
  origin: Origin,
): Promise<string[]> {
  await proveBoth(services, actor, proof, origin);
  return inTransaction(services.auth, async () => {
    await holdAccount(services.auth, actor.userId);
    const disabled = services.auth.api.disableTwoFactor({
      body: { password: proof.password },
      headers: origin.headers,
      returnHeaders: true,
    });
    const { headers } = await withSession(services.auth, actor, mapAuthErrors(disabled));
    await recordOwn(services, 'two_factor_disabled', actor, origin);
    return headers.getSetCookie();
  });
}

/**
 * Creates new recovery codes, which invalidate the old ones.
 * @throws AppError wrong_password, password_missing, invalid_code, two_factor_inactive
 */
export async function renewRecoveryCodes(
  services: AccountServices,
  actor: Actor,
  proof: BothFactors,
  origin: Origin,
): Promise<string[]> {
  await proveBoth(services, actor, proof, origin);
  const { api } = services.auth;
  const made = api.generateBackupCodes({ body: { password: proof.password }, headers: origin.headers });
  const { backupCodes } = await withSession(services.auth, actor, mapAuthErrors(made));
  await recordOwn(services, 'recovery_codes_made', actor, origin);
  return backupCodes;
}

/**
 * Second step of a login, with the challenge cookie set by the first: an authenticator or recovery code, each usable
 * once. A new password ends it: the challenge belongs to the former one.
 * @returns the cookies to set
 * @throws AppError invalid_code, two_factor_expired, two_factor_attempts after five wrong codes in one login,
 *   too_many_requests after ten in a row
 */
export async function passChallenge(
  services: AccountServices,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const { auth } = services;
  const { userId } = await auth.api.challengedAccount({ headers: origin.headers });
  try {
    if (userId === null) throw new AppError('two_factor_expired');
    const challenged = await withoutSession(auth, origin);
    // All or nothing: a challenge that was taken while the database was lost can be met again.
    const taken = await inTransaction(auth, async () => {
      await holdAccount(auth, userId as UserId);
      // A refusal is returned, because the attempt that it counts is to be stored.
      return takeCode(services, userId, code, challenged).catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      });
    });
    if (taken instanceof AppError) throw taken;
    await completeLogin(services, taken.response, origin, 'two_factor');
    return taken.headers.getSetCookie();
  } catch (error) {
    if (error instanceof AppError)
      await recordFailure(services, userId as UserId | null, origin, 'two_factor');
    throw error;
  }
}

/** Stores a security event. In a transaction of the accounts service it comes last: the event has one of its own. */
function recordOwn(services: AccountServices, action: AuditAction, { userId }: Actor, origin: Origin) {
  return recordAlone(services.pool, {
    action,
    actorId: userId,
    subjectId: userId,
    ipAddress: origin.ipAddress,
  });
}
