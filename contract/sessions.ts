import { instantSchema } from './dates.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { z } from './validation.ts';

/** How often a visible page refreshes its session. */
export const REFRESH_MINUTES = 10;

/** A session, with the device it is on. */
export const sessionSchema = z.object({
  id: z.string(),
  /** Whether it is the session of the request. */
  current: z.boolean(),
  /** Browser and system in Italian, such as 'Firefox su Windows'. */
  device: z.string(),
  ipAddress: z.string().nullable(),
  createdAt: instantSchema,
  /** When it was last refreshed, to within `REFRESH_MINUTES`. */
  lastUsedAt: instantSchema,
  expiresAt: instantSchema,
});
export type Session = z.infer<typeof sessionSchema>;

export const sessionQuerySchema = listQuerySchema.omit({ search: true });
export const sessionListSchema = listSchema(sessionSchema);

/** The session after it was refreshed. */
export const refreshedSessionSchema = z.object({ expiresAt: instantSchema });
