import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { z } from 'zod';
import { isCalendarDate } from '#contract/dates.ts';
import { AppError } from '#server/errors.ts';

/** Something a list can be ordered by: an SQL expression that is never null, and its PostgreSQL type. */
export type SortKey = { expression: SQL; type: 'text' | 'date' | 'numeric' | 'bigint' | 'timestamptz' };

/** A sort key from the text of its SQL expression. */
export function sortKey(expression: string, type: SortKey['type']): SortKey {
  return { expression: sql.raw(expression), type };
}

/** How a list is ordered: by `key`, then by id, both in `direction`. `name` is the sort's name in the query. */
export type Ordering = { name: string; key: SortKey; direction: 'asc' | 'desc' };

/** A sort's query parameters: their name and direction. */
export type SortQuery<Sort extends string> = { sort: Sort; direction: 'asc' | 'desc' };

/** The ordering that a query asks for, out of those a list offers. */
export function orderingOf<Sort extends string>(
  keys: Record<Sort, SortKey>,
  { sort, direction }: SortQuery<Sort>,
): Ordering {
  return { name: sort, key: keys[sort], direction };
}

/** Newest first, for records whose ids increase with time. */
export function newestFirst(id: SQL): Ordering {
  return { name: 'newest', key: { expression: id, type: 'bigint' }, direction: 'desc' };
}

/** Type of the id column, which breaks ties: numbers for records, text for accounts. */
type IdType = 'bigint' | 'text';

/** Where a page ends: the sort value and the id of its last row. */
type Position = { value: string; id: number | string };

const cursorSchema = z.tuple([
  z.string(),
  z.enum(['asc', 'desc']),
  z.string(),
  z.union([z.int(), z.string()]),
]);

/** The text of an instant for a cursor: to the microsecond, and independent of session settings. */
export function instantText(instant: SQL): SQL<string> {
  return sql<string>`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Whether `text` is an instant as `instantText` writes it, to the microsecond. PostgreSQL would reject a day or hour that does not
 * exist.
 */
function isInstant(text: string): boolean {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/.exec(text) ?? [];
  return isCalendarDate(day);
}

const isValue: Record<SortKey['type'], (value: string) => boolean> = {
  text: () => true,
  date: isCalendarDate,
  bigint: (value) => /^\d{1,18}$/.test(value),
  numeric: (value) => /^-?\d{1,18}(\.\d{1,6})?$/.test(value),
  timestamptz: isInstant,
};

/** The opaque cursor of the page after `position`. It contains the ordering, so that it is invalid for any other one. */
export function encodeCursor({ name, direction }: Ordering, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([name, direction, value, id])).toString('base64url');
}

/** @throws AppError invalid_cursor when it is not a cursor of this ordering */
function decodeCursor(cursor: string, { name, direction, key }: Ordering, idType: IdType): Position {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new AppError('invalid_cursor');
  }
  const parsed = cursorSchema.safeParse(content);
  if (!parsed.success) throw new AppError('invalid_cursor');
  const [cursorName, cursorDirection, value, id] = parsed.data;
  if (cursorName !== name || cursorDirection !== direction) throw new AppError('invalid_cursor');
  if (!isValue[key.type](value) || `${value}${id}`.includes('\0')) throw new AppError('invalid_cursor');
  if ((typeof id === 'string') !== (idType === 'text')) throw new AppError('invalid_cursor');
  return { value, id };
}

/**
 * The condition for the rows after `cursor`; undefined on the first page.
 * @param id the column that breaks ties, of type `idType`
 * @throws AppError invalid_cursor
 */
export function afterCursor(
  ordering: Ordering,
  id: SQL,
  cursor: string | undefined,
  idType: IdType = 'bigint',
): SQL | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeCursor(cursor, ordering, idType);
  const { expression, type } = ordering.key;
  const value = sql`cast(${position.value} as ${sql.raw(type)})`;
  const comparison = sql.raw(ordering.direction === 'asc' ? '>' : '<');
  // The first condition is implied by the second, but where key and id are in different tables, only it can use an index.
  return sql`(${expression} ${comparison}= ${value}
    and (${expression}, ${id}) ${comparison} (${value}, cast(${position.id} as ${sql.raw(idType)})))`;
}

/** The ORDER BY of an ordering. */
export function orderBy({ key, direction }: Ordering, id: SQL): SQL {
  const way = sql.raw(direction);
  return sql`${key.expression} ${way}, ${id} ${way}`;
}

/** One page of a list. `nextCursor` is null on the last page; `total` counts everything the filters match. */
export type Page<Item> = { items: Item[]; nextCursor: string | null; total: number };

/** How `pageOf` builds the pages of a list. */
type List<Row extends { total: unknown }, Item> = {
  ordering: Ordering;
  /** The position of a row in the ordering. */
  positionOf(row: Row): Position;
  /** The subquery behind the column `total` of each row. */
  counted: SQLWrapper;
  /** The total of an empty list. */
  none: Row['total'];
  present(row: Row): Item;
};

/**
 * Builds a page from `rows`; one row more than `limit` means that another page follows. If records were deleted
 * meanwhile, a page after a cursor may have no rows left to hold the total, which is then queried separately.
 */
export async function pageOf<Row extends { total: unknown }, Item>(
  db: NodePgDatabase,
  rows: Row[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { ordering, positionOf, counted, none, present }: List<NoInfer<Row>, Item>,
): Promise<{ items: Item[]; nextCursor: string | null; total: Row['total'] }> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const past = last === undefined && cursor !== undefined;
  const holder = past
    ? (await db.execute<{ total: Row['total'] }>(sql`select (${counted}) as "total"`)).rows[0]
    : last;
  return {
    items: shown.map(present),
    nextCursor: rows.length > limit && last ? encodeCursor(ordering, positionOf(last)) : null,
    total: holder ? holder.total : none,
  };
}

/**
 * Samples in the requested order, all on one page.
 * @param keys for each sort, the value of a sample that the list's own sort key is made of
 */
export function pageOfSamples<Item extends { id: number }, Sort extends string>(
  samples: readonly Item[],
  keys: Record<Sort, (sample: Item) => string | number>,
  { sort, direction }: SortQuery<Sort>,
): Page<Item> {
  const key = keys[sort];
  const compare = (one: string | number, other: string | number) =>
    typeof one === 'string' ? one.localeCompare(String(other), 'it') : one - Number(other);
  const way = direction === 'asc' ? 1 : -1;
  const items = samples.toSorted((a, b) => way * (compare(key(a), key(b)) || a.id - b.id));
  return { items, nextCursor: null, total: items.length };
}

/**
 * A LIMIT as a literal, for lists over everybody's records. For a parameter the planner assumes a tenth of the table, so
 * a reusable plan looks expensive and every page is planned again. Lists of one customer use a parameter: with a literal,
 * a customer with few records gets a plan that reads and sorts all of them, and that plan is kept for everybody.
 */
export function literalLimit(rows: number): Placeholder {
  // Drizzle passes any SQL through; its types allow only numbers and placeholders.
  return sql.raw(String(Math.trunc(rows))) as unknown as Placeholder;
}
