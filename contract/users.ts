import { accountNamesSchema, newPassword, ROLES } from './accounts.ts';
import { customerParam } from './customers.ts';
import { instantSchema } from './dates.ts';
import { MAX_NAME_LENGTH } from './lengths.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { emailAddress, optionalLine, requiredLine, z } from './validation.ts';

/** Texts of user management (spec §2, §5, §8). */
export const USERS_TEXTS = {
  required: 'Compila tutti i campi obbligatori.',
  nameMissing: 'Inserisci il nome completo',
  created: (name: string) => `Utente ${name} creato con successo`,
  createFailed: "Errore durante la creazione dell'utente",
  loadFailed: 'Errore durante il recupero degli utenti',
  none: 'Nessun utente trovato',
  noneMatches: 'Nessun utente corrisponde alla ricerca',
} as const;

/** Display names of roles (spec §2, Profile). */
export const ROLE_LABELS = { user: 'Utente', admin: 'Amministratore' } as const;

/** An account as an administrator sees it. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  fullName: z.string(),
  companyName: z.string().nullable(),
  role: z.enum(ROLES),
  createdAt: instantSchema,
  emailVerified: z.boolean(),
  suspended: z.boolean(),
  /** What the requesting administrator may do to this account, decided by the server. */
  manageable: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

/** Search finds name, e-mail and company, without case and accents. `id`: only that account. */
export const usersQuerySchema = listQuerySchema.extend({
  id: customerParam.shape.id.optional(),
  role: z.enum(ROLES).optional(),
});
export const userListSchema = listSchema(userSchema);

/** A new account created by an administrator, with its address already confirmed (spec §6). */
export const newUserSchema = z.strictObject({
  email: emailAddress(USERS_TEXTS.required),
  password: z.string(USERS_TEXTS.required).min(1, USERS_TEXTS.required).pipe(newPassword),
  fullName: requiredLine(USERS_TEXTS.required, MAX_NAME_LENGTH),
  companyName: optionalLine(MAX_NAME_LENGTH),
  role: z.enum(ROLES).default('user'),
});
export type NewUser = z.input<typeof newUserSchema>;

/** Labels for an account's person and company. */
export const userNamesSchema = z.strictObject({
  fullName: requiredLine(USERS_TEXTS.nameMissing, MAX_NAME_LENGTH),
  companyName: optionalLine(MAX_NAME_LENGTH),
});

/**
 * What an administrator may change about an account; omitted fields keep their value. `from` contains the names that the
 * change started from: nothing is changed if one to be replaced is different by now.
 */
export const userChangesSchema = userNamesSchema
  .extend({
    role: z.enum(ROLES),
    suspended: z.boolean(),
    from: accountNamesSchema,
  })
  .partial();
export type UserChanges = z.input<typeof userChangesSchema>;
