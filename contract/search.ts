import { oneLine, z } from './validation.ts';

/** Kinds of records the global search finds, in display order: one's own first, then those an administrator manages. */
export const SEARCH_KINDS = [
  'project',
  'employee',
  'invoice',
  'tripRequest',
  'customerInvoice',
  'customer',
  'customerTripRequest',
  'user',
] as const;
/** How many hits of each kind a response contains. */
export const HITS_PER_KIND = 5;

/** Minimum and maximum length of a search text, and the message when it is shorter. */
export const MIN_SEARCH_LENGTH = 2;
export const MAX_QUERY_LENGTH = 100;
export const SEARCH_TOO_SHORT = 'Scrivi almeno due caratteri';

/** The search text: at least two characters, matched anywhere in a name, place or number, ignoring case and accents. */
export const searchQuerySchema = z.strictObject({
  q: z
    .string()
    .overwrite(oneLine)
    .min(MIN_SEARCH_LENGTH, SEARCH_TOO_SHORT)
    .max(MAX_QUERY_LENGTH, `Al massimo ${MAX_QUERY_LENGTH} caratteri`),
});

/** Between the facts of a hit's detail. */
export const DETAIL_SEPARATOR = ' · ';

/** A hit: its title, a detail that distinguishes it from others of the same name, and where it is shown. */
export const searchHitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.object({ hits: z.array(searchHitSchema) });
