import { PASSWORD_LENGTH } from './account-texts.ts';
import { instantSchema } from './dates.ts';
import { COMMON_TEXTS } from './error-body.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from './lengths.ts';
import { emailAddress, oneLine, optionalLine, requiredLine, z } from './validation.ts';

/** Messages about the fields of an account (spec §5). */
export const ACCOUNT_PROBLEMS = {
  credentials: 'Inserisci email/username e password per accedere.',
  fullName: 'Inserisci il tuo nome completo',
  email: "Inserisci un'email valida",
  password: COMMON_TEXTS.weak_password,
  passwordUnchanged: 'Scegli una password diversa da quella attuale',
  confirmation: 'Le password non corrispondono',
} as const;

/** Confirmations on the login screen. */
export const ACCOUNT_NOTICES = {
  recoveryRequested:
    'Se l’indirizzo appartiene a un account, tra poco riceverai un’email con il collegamento per scegliere una nuova password.',
  passwordReset: 'Password aggiornata. Ora puoi accedere con la nuova password.',
  /** A link works once, so it is refused after an attempt whose response was lost. */
  perhapsReset:
    'La password potrebbe essere già cambiata: prova ad accedere con quella nuova. Se non funziona, chiedi un altro collegamento.',
  codeRequested: 'Se l’indirizzo appartiene a un account, tra poco riceverai un’email con il codice.',
  addressConfirmed: 'Indirizzo email confermato. Grazie!',
} as const;

export const LOGIN_TEXTS = {
  failed: 'Si è verificato un errore durante il login.',
  success: 'Accesso effettuato con successo!',
} as const;

export const REGISTRATION_TEXTS = {
  done: 'Registrazione completata. Ora puoi accedere con le tue credenziali.',
  success: 'Registrazione completata con successo!',
  notDone: 'Errore durante la registrazione',
  failed: 'Registrazione fallita. Riprova più tardi.',
  unexpected: 'Si è verificato un errore durante la registrazione',
} as const;

/** Headings above the texts of refused logins (spec §8), by error code. */
export const LOGIN_HEADINGS: Readonly<Record<string, string>> = {
  invalid_credentials: 'Credenziali non valide',
  no_session: 'Errore di autenticazione',
};

/** Roles of an account (spec §6). The invoice administrator is identified by a reserved e-mail, not by a role. */
export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A new password: at least six characters (spec §9). */
export const newPassword = z
  .string(ACCOUNT_PROBLEMS.password)
  .min(PASSWORD_LENGTH.min, ACCOUNT_PROBLEMS.password)
  .max(PASSWORD_LENGTH.max, `La password può avere al massimo ${PASSWORD_LENGTH.max} caratteri`);

/** The password of the signed-in account, asked for again before a sensitive change. */
const currentPassword = z
  .string('Inserisci la tua password attuale')
  .min(1, 'Inserisci la tua password attuale')
  .max(PASSWORD_LENGTH.max, COMMON_TEXTS.wrong_password);

/** The e-mail of an account as typed: a single message for anything wrong with it (spec §5). */
const ownEmail = emailAddress(ACCOUNT_PROBLEMS.email, ACCOUNT_PROBLEMS.email);

/** Login (spec §5): an identifier with @ is an e-mail, otherwise a username. */
export const loginSchema = z.strictObject({
  identifier: z
    .string(ACCOUNT_PROBLEMS.credentials)
    // As for the address when the account was registered: pasted text may contain invisible characters.
    .overwrite(oneLine)
    .min(1, ACCOUNT_PROBLEMS.credentials)
    .max(MAX_EMAIL_LENGTH, COMMON_TEXTS.invalid_credentials),
  password: z
    .string(ACCOUNT_PROBLEMS.credentials)
    .min(1, ACCOUNT_PROBLEMS.credentials)
    .max(PASSWORD_LENGTH.max, COMMON_TEXTS.invalid_credentials),
  remember: z.boolean().default(false),
});

/** Registration (spec §5), fields in the order in which the first failure is shown. Role is never an input. */
export const registrationSchema = z.strictObject({
  fullName: requiredLine(ACCOUNT_PROBLEMS.fullName, MAX_NAME_LENGTH),
  email: ownEmail,
  password: newPassword,
  companyName: optionalLine(MAX_NAME_LENGTH),
});

/** Outcome of a login: whether a second factor is required before there is a session. */
export const loginOutcomeSchema = z.object({ twoFactor: z.boolean() });

/** Which sessions a logout ends (spec §7): this one, all others, or all. */
const LOGOUT_SCOPES = ['local', 'others', 'global'] as const;
export const logoutQuerySchema = z.strictObject({ scope: z.enum(LOGOUT_SCOPES).default('local') });

/** The address to send a recovery link or login code to. */
export const addressSchema = z.strictObject({ email: ownEmail });

/** Six digits, from a mail or an authenticator app; spaces are ignored. */
export const oneTimeCode = z
  .string('Inserisci il codice di 6 cifre')
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Inserisci il codice di 6 cifre'));

/** Login with a mailed code. */
export const codeLoginSchema = z.strictObject({
  email: ownEmail,
  code: oneTimeCode,
  remember: z.boolean().default(false),
});

const linkToken = z.string('Campo obbligatorio').min(1, 'Campo obbligatorio').max(2000);

/** A new password, set with the link of a recovery mail. */
export const passwordResetSchema = z.strictObject({ token: linkToken, password: newPassword });

/**
 * For forms that ask for a new password twice. A mismatch is reported last, when the form is otherwise valid (spec §5);
 * the repetition is not sent.
 */
export function withConfirmation<Form extends { password: string; confirmation: string }>(
  form: z.ZodType<Form>,
) {
  return form
    .refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      error: ACCOUNT_PROBLEMS.confirmation,
    })
    .transform(({ confirmation: _, ...sent }) => sent);
}

/** The token of the link that confirms an address. */
export const verificationSchema = z.strictObject({ token: linkToken });

/** Re-authentication with the current password. */
export const reauthenticationSchema = z.strictObject({ password: currentPassword });

/** Change of the own password. */
export const passwordChangeSchema = z
  .strictObject({ currentPassword, password: newPassword })
  .refine(({ currentPassword, password }) => password !== currentPassword, {
    path: ['password'],
    error: ACCOUNT_PROBLEMS.passwordUnchanged,
  });

/** An identity that the account can log in with. */
export const identitySchema = z.object({
  id: z.string(),
  /** 'credential' is the password. */
  provider: z.string(),
  createdAt: instantSchema,
});

/** What an account may do: computed in one place on the server and sent to the client for display. */
export const permissionsSchema = z.object({
  /** Own projects, employees, invoices and requests. */
  customerArea: z.boolean(),
  createInvoices: z.boolean(),
  manageUsers: z.boolean(),
  manageTripRequests: z.boolean(),
  manageAllInvoices: z.boolean(),
});
export type Permissions = z.infer<typeof permissionsSchema>;

/** The safe user of spec §3 with the permissions of the account. */
export const meSchema = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  fullName: z.string(),
  companyName: z.string().nullable(),
  role: z.enum(ROLES),
  profilePicture: z.string().nullable(),
  emailVerified: z.boolean(),
  twoFactorEnabled: z.boolean(),
  createdAt: instantSchema,
  lastLogin: instantSchema.nullable(),
  permissions: permissionsSchema,
});
export type Me = z.infer<typeof meSchema>;

/** The names of an account, which both its owner and an administrator can change. */
export const accountNamesSchema = meSchema.pick({ fullName: true, companyName: true });
export type AccountNames = z.infer<typeof accountNamesSchema>;

/** The signed-in account, and whether its session was to be remembered and so outlives the browser's. */
export const signedInSchema = meSchema.extend({ remembered: z.boolean() });

/** The signed-in account; null for a visitor, which is not an error. */
export const sessionStateSchema = z.object({ me: signedInSchema.nullable() });
