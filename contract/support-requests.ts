import { requiredText, z } from './validation.ts';

/** Maximum length of a message to support, and of a page's path. */
export const SUPPORT_LIMITS = { messaggio: 4000, pagina: 300 } as const;

/** Promised time of a reply by e-mail, in working hours (spec §9). */
export const REPLY_WITHIN_HOURS = 2;

/** A message to support. */
export const supportRequestSchema = z.strictObject({
  messaggio: requiredText('Scrivi come possiamo aiutarti', SUPPORT_LIMITS.messaggio),
  /** The page of the application it is about: a path without its query. */
  pagina: z
    .string()
    .max(SUPPORT_LIMITS.pagina, 'Indirizzo della pagina troppo lungo')
    .regex(/^\/app(\/[\w%-][\w%.-]*)*\/?$/, 'Pagina non valida')
    .nullish()
    .transform((page) => page ?? null),
});
export type SupportRequestInput = z.input<typeof supportRequestSchema>;
export type SupportRequest = z.output<typeof supportRequestSchema>;

/** The number to quote when speaking of the request. */
export const supportReferenceSchema = z.object({ reference: z.string() });
