import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { z } from 'zod';
import { isCalendarDate } from '#contract/dates.ts';
import { AppError } from '#server/errors.ts';

/** Something a list can be ordered by: an SQL expression that is never null, and its PostgreSQL type. */
export type SortKey = { expression: SQL; type: 'text' | 'date' | 'numeric' | 'bigint' | 'timestamptz' };

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

/** Newest first, of records whose ids ascend with time. */
export function newestFirst(id: SQL): Ordering {
  return { name: 'newest', key: { expression: id, type: 'bigint' }, direction: 'desc' };
}

/** Type of the column that breaks ties: records have numbers, accounts texts. */
type IdType = 'bigint' | 'text';

/** Where a page ends: the sort value and the id of its last row. */
type Position = { value: string; id: number | string };

const cursorSchema = z.tuple([
  z.string(),
  z.enum(['asc', 'desc']),
  z.string(),
  z.union([z.int(), z.string()]),
]);

/** An instant as the lists write it, to the microsecond; PostgreSQL refuses a day or an hour that there is not. */
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

/** The opaque cursor of the page after `position`. It holds the ordering, so that it fits no other one. */
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
 * The condition that leaves the rows after `cursor`; undefined on the first page.
 * @param id the column that breaks ties, and its type
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
  // The first condition follows from the second; where key and id are of two tables, it is the one that finds an index.
  return sql`(${expression} ${comparison}= ${value}
    and (${expression}, ${id}) ${comparison} (${value}, cast(${position.id} as ${sql.raw(idType)})))`;
}

/** The ORDER BY of an ordering. */
export function orderBy({ key, direction }: Ordering, id: SQL): SQL {
  const way = sql.raw(direction);
  return sql`${key.expression} ${way}, ${id} ${way}`;
}

/** One page of a list. `nextCursor` is null on the last one; `total` is of everything the filters match. */
export type Page<Item> = { items: Item[]; nextCursor: string | null; total: number };

/** A list whose pages `pageOf` makes. */
type List<Row extends { total: unknown }, Item> = {
  ordering: Ordering;
  /** Where a row stands in the ordering. */
  positionOf(row: Row): Position;
  /** The subquery that each row holds in its column `total`. */
  counted: SQLWrapper;
  /** What an empty list comes to. */
  none: Row['total'];
  present(row: Row): Item;
};

/**
 * The page that `rows` are: one more of them than `limit` tells that another page follows. A page after a cursor may have no
 * row left to hold the total, when records were deleted meanwhile: it is then asked for by itself.
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
 * Examples in the order asked for, all on one page.
 * @param keys what the list's own sort keys are made of, taken from an example
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
 * A LIMIT as a literal, for lists over everybody's records. For a parameter the planner assumes a tenth of the table, so the
 * plan it could keep looks expensive, and it plans every page again. Lists of one customer use a parameter: with a literal, a
 * customer with few records gets a plan that reads and sorts all of them, and that plan is kept for everybody.
 */
export function literalLimit(rows: number): Placeholder {
  // Drizzle passes on what it is given; its types know numbers and placeholders only.
  return sql.raw(String(Math.trunc(rows))) as unknown as Placeholder;
}
