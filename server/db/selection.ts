import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgDialect } from 'drizzle-orm/pg-core';

/** Shared, because it caches the snake_case names of columns. */
export const dialect = new PgDialect({ casing: 'snake_case' });

/** A fragment without parameters, compiled to text once instead of with each statement. */
export function precompiled(fragment: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(fragment);
  if (params.length > 0) throw new Error(`${text} must not have parameters`);
  return sql.raw(text);
}

type Columns = Record<string, PgColumn>;

/** The values that a row has for some columns, by the names given to them. */
export type RowOf<Chosen extends Columns> = { [Name in keyof Chosen]: GetColumnData<Chosen[Name]> };

/** The columns of a statement, and how to read its rows. */
export type Selection<Chosen extends Columns> = {
  /** For `select ${columns} from …`, in which no table has an alias. */
  columns: SQL;
  read(row: Record<string, unknown>): RowOf<Chosen>;
};

/**
 * Compiles columns once, for the most requested lists: the query builder takes longer to compile them for each
 * statement and to map each row than PostgreSQL takes to read the page.
 *
 * @param prefix of their names in the rows, where two tables have columns of the same name
 */
export function selectionOf<Chosen extends Columns>(columns: Chosen, prefix = ''): Selection<Chosen> {
  const chosen = Object.entries(columns).map(([name, column]) => ({ name, alias: prefix + name, column }));
  const aliased = chosen.map(({ alias, column }) => sql`${column} as ${sql.identifier(alias)}`);
  return {
    columns: precompiled(sql.join(aliased, sql`, `)),
    read(row) {
      const read: Record<string, unknown> = {};
      for (const { name, alias, column } of chosen) {
        const value = row[alias];
        read[name] = value === null ? null : column.mapFromDriverValue(value);
      }
      return read as RowOf<Chosen>;
    },
  };
}
