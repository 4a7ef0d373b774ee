import { and, or, type SQL, sql } from 'drizzle-orm';
import { foldText, searchWords } from '#contract/lists.ts';

/** A pattern for `fold(column) like …` that matches `text` anywhere, ignoring case and accents. */
export function containsFolded(text: string): SQL {
  return sql`'%' || fold(${text.replace(/[\\%_]/g, '\\$&')}) || '%'`;
}

/** Marks a statement whose pattern is hidden from the planner, to distinguish it from other LIKE searches. */
export const PLANNED_ONCE = '/* planned once */';

/** Matches a text with a trigram that the text index can use, whatever the locale counts as a letter. */
const INDEXED = /[a-z0-9]{3}/i;

/** Digits with up to two letters before and all that follows, and letters in groups of three, the last with the rest. */
const GROUPS = /[a-z]{0,2}\d[a-z\d]*|[a-z]{3}(?:[a-z]{1,2}(?![a-z\d]))?/g;

/**
 * A pattern for `column like …` that every text containing `word` matches, and few others: parts of the word in their
 * order. The text index reads one list per trigram of a pattern, and a long one for a trigram that most texts contain.
 * Of the twenty-five trigrams of a long e-mail address this uses only those with digits, which few texts share, or,
 * without digits, a third of them.
 */
export function indexedPattern(word: string): string {
  const groups: string[] = foldText(word).match(GROUPS) ?? [];
  const figures = groups.filter((group) => group.length > 2 && /\d/.test(group));
  return `%${(figures.length > 0 ? figures : groups).join('%')}%`;
}

/** Builds the condition that a record contains a word. */
type Holds = (word: string) => SQL | undefined;

/** The condition that the same record contains every word of `search`. */
export function containsEachWord(search: string, holds: Holds): SQL | undefined {
  return and(...searchWords(search).map(holds));
}

/**
 * The condition that `column` contains every word of `search`, for a statement that can find its rows only through the text
 * index. Each connection plans it once per number of words, because the patterns are hidden from the planner. If the index
 * can use none of the words, the patterns stay visible, so that the planner finds that reading the whole table is cheaper.
 */
export function plannedOnce(column: SQL, search: string): SQL | undefined {
  const hidden = searchWords(search).some((word) => INDEXED.test(word));
  return containsEachWord(search, (word) =>
    hidden
      ? sql`${column} like (select ${indexedPattern(word)}::text ${sql.raw(PLANNED_ONCE)})
          and strpos(${column}, (select fold(${word}))) > 0`
      : sql`${column} like ${containsFolded(word)}`,
  );
}

/** How many words are looked up through an index: each further one doubles the number of SELECTs. */
const MAX_LOOKUP_WORDS = 2;

/** Sort order of words by how few records contain them: numbers before words, long words before short ones. */
function fewerHold(one: string, other: string): number {
  const isNumber = (word: string) => Number(/\d{2}/.test(word));
  return isNumber(other) - isNumber(one) || foldText(other).length - foldText(one).length;
}

/**
 * Several SELECTs that together find the ids of the records of `view` that contain every word of `search`, either
 * themselves or in their customer's name, e-mail or company. Each SELECT uses the text indexes. At most two words are
 * looked up this way, with one SELECT for each combination of record and customer containing them; the other words are
 * checked on the rows found.
 *
 * @param view a view of records, named `found` in the SELECTs, with a `user_id` and a `search_text`
 * @param holds whether a record of `found` itself contains a word
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
    // In the first combination the records themselves contain all looked-up words.
    const from = index === 0 && others.length === 0 ? found : withCustomers;
    return sql`select found.id from ${from} where ${and(...way, ...others)}`;
  });
}
