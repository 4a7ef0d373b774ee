import { and, or, type SQL, sql } from 'drizzle-orm';
import { foldText, searchWords } from '#contract/lists.ts';

/** A pattern for `fold(column) like …` that finds `text` anywhere, without case and accents. */
export function containsFolded(text: string): SQL {
  return sql`'%' || fold(${text.replace(/[\\%_]/g, '\\$&')}) || '%'`;
}

/** What tells a statement whose pattern the planner does not see from others that look for one. */
export const PLANNED_ONCE = '/* planned once */';

/** A text that holds a group of three, which the index of texts works with, whatever a locale takes for a letter. */
const INDEXED = /[a-z0-9]{3}/i;

/** Figures with the letters before them, and letters in groups of three, the last with what is left. */
const GROUPS = /[a-z]{0,2}\d[a-z\d]*|[a-z]{3}(?:[a-z]{1,2}(?![a-z\d]))?/g;

/**
 * A pattern for `column like …` that every text with `word` meets, and few others: parts of it that follow each other. The
 * index of texts reads a list for each group of three characters of a pattern, and a long one for a group that most texts
 * hold. Of the twenty-five of a long e-mail address this asks for those with figures alone, which few texts share, or else
 * for a third.
 */
export function indexedPattern(word: string): string {
  const groups: string[] = foldText(word).match(GROUPS) ?? [];
  const figures = groups.filter((group) => group.length > 2 && /\d/.test(group));
  return `%${(figures.length > 0 ? figures : groups).join('%')}%`;
}

/** Where a word is looked for. */
type Holds = (word: string) => SQL | undefined;

/** That each word of `search` is held, all of them by the same record. */
export function holdsEach(search: string, holds: Holds): SQL | undefined {
  return and(...searchWords(search).map(holds));
}

/**
 * That `column` holds each word of `search`, for a statement that has one way only to what it finds, the index of texts: each
 * connection plans it once for each number of words, since it is not seen while planning what is looked for. Seen it is where
 * the index knows none of the words, so that reading all is found to be the shorter way.
 */
export function plannedOnce(column: SQL, search: string): SQL | undefined {
  const hidden = searchWords(search).some((word) => INDEXED.test(word));
  return holdsEach(search, (word) =>
    hidden
      ? sql`${column} like (select ${indexedPattern(word)}::text ${sql.raw(PLANNED_ONCE)})
          and strpos(${column}, (select fold(${word}))) > 0`
      : sql`${column} like ${containsFolded(word)}`,
  );
}

/** Words that records are found by along an index: each one more doubles the SELECTs. */
const MAX_LOOKUP_WORDS = 2;

/** A number is held by fewer records than a word, and a long word by fewer than a short one. */
function fewerHold(one: string, other: string): number {
  const isNumber = (word: string) => Number(/\d{2}/.test(word));
  return isNumber(other) - isNumber(one) || foldText(other).length - foldText(one).length;
}

/**
 * The ids of the records of `view` that hold each word of `search`, whether they themselves do or their customers in name,
 * e-mail or company: several SELECTs, which all together find them, each along the indexes of texts. Two words
 * lead there, one SELECT for each way of who holds which; the others are looked for in what is found.
 *
 * @param view a view of records named `found`, with a `user_id` and a `search_text`
 * @param holds whether a record of `found` itself holds a word
 */
export function foundWithCustomers(
  view: 'all_invoices' | 'all_trip_requests',
  search: string,
  holds: Holds,
): SQL[] {
  const words = searchWords(search).toSorted(fewerHold);
  const sought = words.slice(0, MAX_LOOKUP_WORDS);
  const own = holds;
  const theirs: Holds = (word) => sql`customers.search_text like ${containsFolded(word)}`;
  const others = words.slice(MAX_LOOKUP_WORDS).map((word) => or(own(word), theirs(word)));
  const ways = sought.reduce<(SQL | undefined)[][]>(
    (begun, word) =>
      begun.flatMap((way) => [
        [...way, own(word)],
        [...way, theirs(word)],
      ]),
    [[]],
  );
  const found = sql`${sql.raw(view)} found`;
  const withCustomers = sql`all_profiles customers join ${found} on found.user_id = customers.id`;
  return ways.map((way, index) => {
    // The first way is that of records which hold all that is sought themselves.
    const from = index === 0 && others.length === 0 ? found : withCustomers;
    return sql`select found.id from ${from} where ${and(...way, ...others)}`;
  });
}
