import { oneTimeCode, reauthenticationSchema } from './accounts.ts';
import { z } from './validation.ts';

/** What is needed to set up an authenticator app, shown once. */
export const enrolmentSchema = z.object({
  /** `otpauth://` address, to open on the phone itself. */
  uri: z.string(),
  /** The secret as text to type, in base32. */
  secret: z.string(),
  /** The `otpauth://` address as a QR code: an SVG document. */
  qrCode: z.string(),
  /** Recovery codes, each usable once when the app is lost. */
  recoveryCodes: z.array(z.string()),
});
export type Enrolment = z.infer<typeof enrolmentSchema>;

/** New recovery codes, which replace the old ones. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** The first authenticator code, which switches the second factor on. */
export const confirmationSchema = z.strictObject({ code: oneTimeCode });

/** Shown at the code's field while it is empty. */
export const CODE_MISSING = 'Inserisci il codice';

/** Spaces are ignored, and so is a missing dash, which is on another layer of a phone's keyboard. */
const secondFactorCode = z
  .string(CODE_MISSING)
  .transform((code) => code.replace(/\s/g, '').replace(/^[\dA-Za-z]{5}(?=[\dA-Za-z]{5}$)/, '$&-'))
  .pipe(
    z
      .string()
      .regex(
        /^(\d{6}|[\dA-Za-z]{5}-[\dA-Za-z]{5})$/,
        'Inserisci il codice di 6 cifre o un codice di recupero',
      ),
  );

/** The second step of a login: an authenticator code, or a recovery code (five characters, a dash, five). */
export const challengeSchema = z.strictObject({ code: secondFactorCode });

/** Proof that the caller owns the account: its password and, where the second factor is on, a code. */
export const ownershipSchema = reauthenticationSchema.extend({ code: secondFactorCode.optional() });
export type Ownership = z.infer<typeof ownershipSchema>;

/** The code that `ownershipSchema` needs when the second factor is on. */
export const ownershipCodeSchema = z.object({ code: secondFactorCode });

/** Proof of both factors, for switching the second off or replacing its recovery codes. */
export const bothFactorsSchema = reauthenticationSchema.extend({ code: secondFactorCode });
export type BothFactors = z.infer<typeof bothFactorsSchema>;
