import { toString as drawQrCode } from 'qrcode';
import type { Enrolment } from '#contract/two-factor.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { type AuditAction, recordAlone } from '#server/auth/audit.ts';
import { appErrorAt, refusing } from '#server/auth/failure.ts';
import type { Origin } from '#server/auth/request.ts';
import { type AccountServices, completeLogin, recordFailure } from '#server/features/accounts/commands.ts';
import { AppError } from '#server/http/errors.ts';
import { isFirst } from '#server/http/rate-limit.ts';

/** Longer than a code of the app is accepted: its own half minute and those beside it, for clocks that differ. */
const CODE_SECONDS = 120;

/**
 * Takes a code of the app for used, so that whoever saw it being typed cannot use it as well.
 * @throws AppError invalid_code when it was used before
 */
async function spend({ pool }: AccountServices, userId: string, code: string): Promise<void> {
  if (!(await isFirst(pool, `totp:${userId}:${code}`, CODE_SECONDS)))
    throw appErrorAt('invalid_code', 'code');
}

/**
 * Starts an enrolment: the secret is kept, but asked for at logins only once its first code was confirmed. Starting
 * again replaces it.
 * @throws AppError wrong_password, two_factor_active
 */
export async function enrol(services: AccountServices, password: string, origin: Origin): Promise<Enrolment> {
  const answer = await refusing(
    services.auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: origin.headers }),
    { wrong_password: 'password' },
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
  await spend(services, actor.userId, code);
  const { headers } = await refusing(
    services.auth.api.verifyTOTP({ body: { code }, headers: origin.headers, returnHeaders: true }),
    { invalid_code: 'code' },
  );
  await recordOwn(services, 'two_factor_enabled', actor, origin);
  return headers.getSetCookie();
}

/**
 * Switches the second factor off. The session is renewed.
 * @returns the cookies to set
 * @throws AppError wrong_password
 */
export async function disable(
  services: AccountServices,
  actor: Actor,
  password: string,
  origin: Origin,
): Promise<string[]> {
  const { headers } = await refusing(
    services.auth.api.disableTwoFactor({ body: { password }, headers: origin.headers, returnHeaders: true }),
    { wrong_password: 'password' },
  );
  await recordOwn(services, 'two_factor_disabled', actor, origin);
  return headers.getSetCookie();
}

/**
 * Makes new recovery codes; the old ones are worth nothing from then on.
 * @throws AppError wrong_password, two_factor_inactive
 */
export async function renewRecoveryCodes(
  services: AccountServices,
  actor: Actor,
  password: string,
  origin: Origin,
): Promise<string[]> {
  const { backupCodes } = await refusing(
    services.auth.api.generateBackupCodes({ body: { password }, headers: origin.headers }),
    { wrong_password: 'password' },
  );
  await recordOwn(services, 'recovery_codes_made', actor, origin);
  return backupCodes;
}

/**
 * Second step of a login whose first set the challenge's cookie: a code of the app or a recovery code, each good once.
 * @returns the cookies to set
 * @throws AppError invalid_code, two_factor_expired, too_many_requests after ten wrong codes in a row
 */
export async function meetChallenge(
  services: AccountServices,
  code: string,
  origin: Origin,
): Promise<string[]> {
  const call = { body: { code }, headers: origin.headers, returnHeaders: true } as const;
  const { api } = services.auth;
  const { userId } = await api.challengedAccount({ headers: origin.headers });
  try {
    if (userId && !code.includes('-')) await spend(services, userId, code);
    const { headers, response } = await refusing(
      code.includes('-') ? api.verifyBackupCode(call) : api.verifyTOTP(call),
      { invalid_code: 'code' },
    );
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
