import { z } from './validation.ts';

/**
 * The texts of failures that the client shows by itself, too. Apart from those of all others, which it reads from the
 * answers and which would weigh on its first page.
 */
export const COMMON_TEXTS = {
  invalid_credentials: 'Email/username o password errata. Accesso negato.',
  weak_password: 'La password deve contenere almeno 6 caratteri',
  wrong_password: 'La password non è corretta.',
  unauthenticated: 'Sessione scaduta o assente. Accedi di nuovo.',
  internal: 'Si è verificato un errore imprevisto. Riprova più tardi.',
} as const;

/** Body of every error response. `fields` maps a field's path ('newEmployees.0.name') to its message. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    requestId: z.string().optional(),
  }),
});

/** Body of any conflict, with whatever record it contains. */
export const errorCurrentSchema = z.object({ current: z.unknown() });

/** Body of every error response. */
export type ErrorBody = z.infer<typeof errorBodySchema>;
