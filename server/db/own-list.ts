import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import {
  afterCursor,
  orderBy,
  orderingOf,
  type Page,
  pageOf,
  type SortKey,
  type SortQuery,
} from './keyset.ts';
import type { employees, projects } from './schema.ts';
import type { Database } from './scope.ts';

/** A list of an owner's records, each with what belongs to it. */
type OwnList<Sort extends string, Row, Item> = {
  table: typeof employees | typeof projects;
  sorts: Record<Sort, SortKey>;
  /** That a record is the owner's, and what else is asked for. */
  filter: SQL | undefined;
  /** What is selected: of the table by its name, and of what is joined. */
  columns: SQL;
  /** Lateral joins to the records of a page, which have the table's name. */
  joins: SQL;
  present(row: Row): Item;
  /** The sample records that match the query. */
  samples(): Page<Item>;
};

/** A page of the owner's records, or of the sample ones while the owner has none (spec §3). */
export async function listOwn<Sort extends string, Row, Item>(
  db: Database,
  owner: UserId,
  query: SortQuery<Sort> & { limit: number; cursor?: string | undefined },
  { table, sorts, filter, columns, joins, present, samples }: OwnList<Sort, Row, Item>,
): Promise<Page<Item>> {
  const name = sql.raw(getTableName(table));
  const id = sql.raw(`"${getTableName(table)}"."id"`);
  const ordering = orderingOf(sorts, query);
  const counted = sql`select count(*)::int from ${name} where ${filter}`;
  const way = sql.raw(query.direction);
  const { rows } = await db.execute<{ id: string; sortValue: string; total: number }>(sql`
    select ${columns}, ${name}.sort_key::text as "sortValue",
      (${counted}) as "total"
    from (
      select ${name}.*, ${ordering.key.expression} as sort_key
      from ${name}
      where ${and(filter, afterCursor(ordering, id, query.cursor))}
      order by ${orderBy(ordering, id)}
      limit ${query.limit + 1}
    ) ${name}
    ${joins}
    order by ${name}.sort_key ${way}, ${name}.id ${way}`);

  if (rows.length === 0 && query.cursor === undefined && !(await hasAny(db, table, owner))) return samples();
  return pageOf(db, rows, query, {
    ordering,
    counted,
    none: 0,
    positionOf: (row) => ({ value: row.sortValue, id: Number(row.id) }),
    present: (row) => present(row as unknown as Row),
  });
}

async function hasAny(db: Database, table: typeof employees | typeof projects, owner: UserId) {
  const rows = await db.select({ id: table.id }).from(table).where(eq(table.userId, owner)).limit(1);
  return rows.length > 0;
}
