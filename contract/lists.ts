import { oneLine, z } from './validation.ts';

/** Page size when the query has none. */
const DEFAULT_PAGE_SIZE = 25;
/** The largest page. */
export const MAX_PAGE_SIZE = 100;
/**
 * The longest cursor. It contains a name folded by the database, base64-encoded: up to 160 characters of 9 bytes each,
 * because folding splits a Korean letter into three.
 */
const MAX_CURSOR_LENGTH = 3000;
/** The longest search text. */
export const MAX_SEARCH_LENGTH = 200;

/** A number in a query. Without text it is not given: `Number('')` would be 0, which filters by another thing. */
function queryNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && text.trim() === '' ? undefined : text), schema);
}

/** Query of every list: page size, keyset cursor, free-text search. Extend it with the list's own filters. */
export const listQuerySchema = z.strictObject({
  limit: queryNumber(z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE)),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
  // Pasted text may contain invisible characters, which stored names have lost.
  search: z.string().overwrite(oneLine).max(MAX_SEARCH_LENGTH).optional(),
});

/** The id of a record that a list is filtered by; undefined for all. */
export const idFilterSchema = queryNumber(z.coerce.number().int().optional());
/** `idFilterSchema` where 0 stands for records without one. */
export const idOrNoneFilterSchema = queryNumber(z.coerce.number().int().min(0).optional());

/** Formats of an exported list. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** The content types of exported lists. */
export const EXPORT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Response of every list. `nextCursor` is null on the last page; `total` counts all matches of the filters. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() });
}

/**
 * Lowercase letters that Unicode does not decompose into a base letter and a mark, and typographic apostrophes, with
 * their replacements.
 */
const PLAIN_LETTERS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ß: 'ss',
  '‘': "'",
  '’': "'",
  ʼ: "'",
};
const WITHOUT_PARTS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/**
 * `text` without case and accents, for comparisons in searches; the database's `fold` does the same
 * (server/db/fold.test.ts).
 */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(WITHOUT_PARTS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Each searched word adds one condition to the statement. */
export const MAX_SEARCH_WORDS = 8;

/**
 * The words of a search text, without duplicates, in any order; '€ 1.250' becomes the figure alone. Beyond
 * `MAX_SEARCH_WORDS` words, the rest of the text counts as the last one, as typed.
 */
export function searchWords(text: string): string[] {
  const typed = text.split(/\s+/).filter(Boolean);
  const words =
    typed.length > MAX_SEARCH_WORDS
      ? [...typed.slice(0, MAX_SEARCH_WORDS - 1), typed.slice(MAX_SEARCH_WORDS - 1).join(' ')]
      : typed;
  const distinct = [...new Map(words.map((word) => [foldText(word), word])).values()];
  return distinct.length > 1 ? distinct.filter((word) => word !== '€') : distinct;
}

/**
 * Whether each word of `search` occurs in one of `texts`, ignoring case and accents. True when `search` has no words.
 */
export function containWords(texts: readonly string[], search: string): boolean {
  const words = searchWords(search).map(foldText);
  const folded = texts.map(foldText);
  return words.every((word) => folded.some((text) => text.includes(word)));
}
