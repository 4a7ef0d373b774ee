import { instantSchema } from './dates.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { z } from './validation.ts';

/**
 * A message that has failed at least once: 'queued' is tried again by itself, 'failed' was given up after days and waits
 * for somebody to send it again.
 */
export const undeliveredMailSchema = z.object({
  id: z.number().int(),
  subject: z.string(),
  /** Those whom it has not reached. */
  recipients: z.array(z.string()),
  state: z.enum(['queued', 'failed']),
  attempts: z.number().int(),
  /** Why the last attempt failed, in Italian, and what the mail server said, in its own words. */
  failure: z.object({ reason: z.string(), details: z.string().nullable() }).nullable(),
  createdAt: instantSchema,
});
export type UndeliveredMail = z.infer<typeof undeliveredMailSchema>;

export const undeliveredMailQuerySchema = listQuerySchema.omit({ search: true });
export const undeliveredMailListSchema = listSchema(undeliveredMailSchema);
