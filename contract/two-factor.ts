import { oneTimeCode, reauthenticationSchema } from './accounts.ts';
import { z } from './validation.ts';

/** What an authenticator app needs to be set up, shown once. */
export const enrolmentSchema = z.object({
  /** `otpauth://` address, for a tap on the phone itself. */
  uri: z.string(),
  /** The same as text to type, in base32. */
  secret: z.string(),
  /** The same as a QR code: an SVG document. */
  qrCode: z.string(),
  /** Each lets the account in once when the app is lost. */
  recoveryCodes: z.array(z.string()),
});
export type Enrolment = z.infer<typeof enrolmentSchema>;

/** New recovery codes, in place of the old ones. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** The first code of the app, which switches the second factor on. */
export const confirmationSchema = z.strictObject({ code: oneTimeCode });

const secondFactorCode = z
  .string('Inserisci il codice')
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(
    z
      .string()
      .regex(
        /^(\d{6}|[\dA-Za-z]{5}-[\dA-Za-z]{5})$/,
        'Inserisci il codice di 6 cifre o un codice di recupero',
      ),
  );

/** The second step of a login: a code of the app, or a recovery code (five characters, a dash, five). */
export const challengeSchema = z.strictObject({ code: secondFactorCode });

/** Proof of both factors, before the second is switched off or its recovery codes are replaced. */
export const bothFactorsSchema = reauthenticationSchema.extend({ code: secondFactorCode });
export type BothFactors = z.infer<typeof bothFactorsSchema>;
