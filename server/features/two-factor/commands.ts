import { toString as drawQrCode } from 'qrcode';
import type { BothFactors, Enrolment } from '#contract/two-factor.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { type AuditAction, recordAlone } from '#server/auth/audit.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import { type Origin, withoutSession } from '#server/auth/request.ts';
import { readAs, scopeOf } from '#server/db/scope.ts';
import {
  type AccountServices,
  completeLogin,
  proving,
  reauthenticate,
  recordFailure,
} from '#server/features/accounts/commands.ts';
import { findMe } from '#server/features/accounts/queries.ts';
import { AppError, fieldError } from '#server/http/errors.ts';
import { forgetFirst, isFirst } from '#server/http/rate-limit.ts';

/** Longer than a code of the app is accepted: its own half minute and those beside it, for clocks that differ. */
const CODE_SECONDS = 120;

/**
 * Hands a code of the app to the accounts service, and takes it for used once it was accepted, so that whoever saw it being
 * typed cannot use it as well. One that was refused stays good: there may have been too many wrong ones before it.
 * @param verify what may accept it
 * @throws AppError invalid_code when it was used before, or is being used; what `verify` throws
 */
async function spend<Result>(
  { pool }: AccountServices,
  userId: string,
  code: string,
  verify: () => Promise<Result>,
): Promise<Result> {
  const key = `totp:${userId}:${code}`;
  // Kept before it is verified: of two who use it at once, one must not be let in at all.
  if (!(await isFirst(pool, key, CODE_SECONDS))) throw fieldError('invalid_code', 'code');
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AppError) await forgetFirst(pool, key);
    throw error;
  }
}

/**
 * Takes a code of the app or a recovery code, each good once.
 * @param userId whose it has to be
 * @throws AppError invalid_code, two_factor_expired, two_factor_attempts, too_many_requests
 */
async function takeCode(services: AccountServices, userId: string, code: string, { headers }: Origin) {
  const { api } = services.auth;
  const call = { body: { code }, headers, returnHeaders: true } as const;
  const wrong = { invalid_code: 'code' } as const;
  return code.includes('-')
    ? mapAuthErrors(api.verifyBackupCode(call), wrong)
    : spend(services, userId, code, () => mapAuthErrors(api.verifyTOTP(call), wrong));
}

/**
 * Proves both factors of the signed-in account: a session that somebody else got hold of must not take away the second,
 * not even with the password. A wrong password spends no code.
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
  await proving(services, actor, origin, takeCode(services, actor.userId, code, origin));
}

/**
 * Starts an enrolment: the secret is kept, but asked for at logins only once its first code was confirmed. Starting
 * again replaces it.
 * @throws AppError wrong_password, password_missing, two_factor_active
 */
export async function enrol(
  services: AccountServices,
  actor: Actor,
  password: string,
  origin: Origin,
): Promise<Enrolment> {
  const answer = await proving(
    services,
    actor,
    origin,
    mapAuthErrors(
      services.auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: origin.headers }),
      { wrong_password: 'password' },
    ),
  );
  if (answer.method !== 'totp') throw new Error('The accounts service enrolled another kind of factor');
  return {
    uri: answer.totpURI,
    secret: new URL(answer.totpURI).searchParams.get('secret') ?? '',
    qrCode: await drawQrCode(answer.totpURI, { type: 'svg', margin: 0 }),
    recoveryCodes: answer.backupCodes,
  };
}

/**
 * Confirms an enrolment with the app's first code: from now on logins ask for one. The session is renewed.
 * @returns the cookies to set
 * @throws AppError invalid_code, two_factor_inactive when no enrolment was started
 */
export async function confirm(
  services: AccountServices,
  actor: Actor,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const { headers } = await takeCode(services, actor.userId, code, origin);
  await recordOwn(services, 'two_factor_enabled', actor, origin);
  return headers.getSetCookie();
}

/**
 * Switches the second factor off. The session is renewed.
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
  const { headers } = await mapAuthErrors(
    services.auth.api.disableTwoFactor({
      body: { password: proof.password },
      headers: origin.headers,
      returnHeaders: true,
    }),
  );
  await recordOwn(services, 'two_factor_disabled', actor, origin);
  return headers.getSetCookie();
}

/**
 * Makes new recovery codes; the old ones are worth nothing from then on.
 * @throws AppError wrong_password, password_missing, invalid_code, two_factor_inactive
 */
export async function renewRecoveryCodes(
  services: AccountServices,
  actor: Actor,
  proof: BothFactors,
  origin: Origin,
): Promise<string[]> {
  await proveBoth(services, actor, proof, origin);
  const { backupCodes } = await mapAuthErrors(
    services.auth.api.generateBackupCodes({ body: { password: proof.password }, headers: origin.headers }),
  );
  await recordOwn(services, 'recovery_codes_made', actor, origin);
  return backupCodes;
}

/**
 * Second step of a login whose first set the challenge's cookie: a code of the app or a recovery code, each good once.
 * @returns the cookies to set
 * @throws AppError invalid_code, two_factor_expired, two_factor_attempts after five wrong codes in one login,
 *   too_many_requests after ten in a row
 */
export async function meetChallenge(
  services: AccountServices,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const { userId } = await services.auth.api.challengedAccount({ headers: origin.headers });
  try {
    if (userId === null) throw new AppError('two_factor_expired');
    const challenged = await withoutSession(services.auth, origin);
    const { headers, response } = await takeCode(services, userId, code, challenged);
    await completeLogin(services, response.user.id as UserId, origin, 'two_factor');
    return headers.getSetCookie();
  } catch (error) {
    if (error instanceof AppError)
      await recordFailure(services, userId as UserId | null, origin, 'two_factor');
    throw error;
  }
}

function recordOwn(services: AccountServices, action: AuditAction, { userId }: Actor, origin: Origin) {
  return recordAlone(services.pool, {
    action,
    actorId: userId,
    subjectId: userId,
    ipAddress: origin.ipAddress,
  });
}
