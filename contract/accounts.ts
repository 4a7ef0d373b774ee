import { instantSchema } from './dates.ts';
import { emailAddress, optionalText, z } from './validation.ts';

/** Shortest password (spec §9) and longest (bounds the cost of hashing). */
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;

/** Roles of an account (spec §6). The invoice administrator is told by its reserved e-mail, not by a role. */
export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const LOGIN_TEXTS = {
  empty: 'Inserisci email/username e password per accedere.',
  failed: 'Si è verificato un errore durante il login.',
  success: 'Accesso effettuato con successo!',
} as const;

export const REGISTRATION_TEXTS = {
  fullName: 'Inserisci il tuo nome completo',
  email: "Inserisci un'email valida",
  password: 'La password deve contenere almeno 6 caratteri',
  confirmation: 'Le password non corrispondono',
  done: 'Registrazione completata. Ora puoi accedere con le tue credenziali.',
  success: 'Registrazione completata con successo!',
  failed: 'Registrazione fallita. Riprova più tardi.',
} as const;

/** Login (spec §5): an identifier with @ is an e-mail, otherwise a username. */
export const loginSchema = z.strictObject({
  identifier: z.string(LOGIN_TEXTS.empty).trim().min(1, LOGIN_TEXTS.empty).max(254),
  password: z.string(LOGIN_TEXTS.empty).min(1, LOGIN_TEXTS.empty).max(PASSWORD_LENGTH.max),
  remember: z.boolean().default(false),
});

/** Registration (spec §5), fields in the order in which the first failure is shown. Role is never an input. */
export const registrationSchema = z.strictObject({
  fullName: z.string(REGISTRATION_TEXTS.fullName).trim().min(1, REGISTRATION_TEXTS.fullName).max(120),
  email: emailAddress(REGISTRATION_TEXTS.email),
  password: z
    .string(REGISTRATION_TEXTS.password)
    .min(PASSWORD_LENGTH.min, REGISTRATION_TEXTS.password)
    .max(PASSWORD_LENGTH.max),
  companyName: optionalText(120),
});

/** What an account may do: computed on the server in one place, sent to the client, which shows only that. */
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
  createdAt: instantSchema,
  lastLogin: instantSchema.nullable(),
  permissions: permissionsSchema,
});
export type Me = z.infer<typeof meSchema>;
