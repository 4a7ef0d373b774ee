import { z } from './validation.ts';

/** What the global search finds, in the order in which it is shown: one's own first, then what an administrator looks after. */
export const SEARCH_KINDS = [
  'project',
  'employee',
  'invoice',
  'tripRequest',
  'customerInvoice',
  'customerTripRequest',
  'user',
] as const;
/** How many hits of each kind an answer holds. */
export const HITS_PER_KIND = 5;

/** Fewest and most characters that are searched for, and what is said about fewer. */
export const MIN_SEARCH_LENGTH = 2;
export const MAX_SEARCH_LENGTH = 100;
export const SEARCH_TOO_SHORT = 'Scrivi almeno due caratteri';

/** What is searched for: at least two characters, anywhere in a name, place or number, without case and accents. */
export const searchQuerySchema = z.strictObject({
  q: z
    .string()
    .trim()
    .min(MIN_SEARCH_LENGTH, SEARCH_TOO_SHORT)
    .max(MAX_SEARCH_LENGTH, `Al massimo ${MAX_SEARCH_LENGTH} caratteri`),
});

/** A hit: what it is called, what tells it from others of that name, and where it is shown. */
export const searchHitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.object({ hits: z.array(searchHitSchema) });
