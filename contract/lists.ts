import { z } from './validation.ts';

/** Page size when the caller names none. */
const DEFAULT_PAGE_SIZE = 25;
/** The largest page. */
export const MAX_PAGE_SIZE = 100;

/** Query of every list: page size, keyset cursor, free-text search. Extend it with the list's own filters. */
export const listQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(500).optional(),
  search: z.string().trim().max(200).optional(),
});

/** Answer of every list. `nextCursor` is null on the last page; `total` counts what the filters match. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() });
}

/** Small letters that Unicode does not take apart into a plain one and a mark, and what is typed for them. */
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
};
const WITHOUT_PARTS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** `text` without case and accents, as searches compare it; the database's `fold` does the same (server/db/fold.test.ts). */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(WITHOUT_PARTS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}
