import { isAPIError } from 'better-auth/api';
import type { ErrorCode } from '#contract/errors.ts';
import { fieldError } from '#server/errors.ts';

/** The product's codes for refusals of the accounts service. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  BANNED_USER: 'account_suspended',
  PASSWORD_TOO_SHORT: 'weak_password',
  INVALID_PASSWORD: 'wrong_password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'wrong_password',
  INVALID_TOKEN: 'invalid_link',
  TOKEN_EXPIRED: 'invalid_link',
  USER_NOT_FOUND: 'invalid_link',
  INVALID_OTP: 'invalid_code',
  OTP_EXPIRED: 'invalid_code',
  TOO_MANY_ATTEMPTS: 'invalid_code',
  INVALID_CODE: 'invalid_code',
  INVALID_BACKUP_CODE: 'invalid_code',
  INVALID_TWO_FACTOR_COOKIE: 'two_factor_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'two_factor_attempts',
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many_requests',
  TOTP_ALREADY_ENABLED: 'two_factor_active',
  TOTP_NOT_ENABLED: 'two_factor_inactive',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_inactive',
  BACKUP_CODES_NOT_ENABLED: 'two_factor_inactive',
  UNAUTHORIZED: 'unauthenticated',
  SESSION_EXPIRED: 'unauthenticated',
};

/** The product's code for a refusal of the accounts service; null when `error` is something else. */
function failureCode(error: unknown): ErrorCode | null {
  const code = isAPIError(error) ? error.body?.code : undefined;
  return (code && CODES[code]) || null;
}

/**
 * Awaits a call to the accounts service, and translates its refusals.
 * @param fields for each refusal, the field next to which its text is shown
 * @throws AppError for a refusal the product knows, anything else as it is
 */
export async function mapAuthErrors<Result>(
  call: Promise<Result>,
  fields: Partial<Record<ErrorCode, string>> = {},
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const code = failureCode(error);
    if (!code) throw error;
    throw fieldError(code, fields[code]);
  }
}
