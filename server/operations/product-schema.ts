import type { Client } from 'pg';
import type { Manifest } from './backup-content.ts';

/** Request counts of the last hour at most, which are meaningless after a restore. */
const LEFT_OUT = ['rate_limits'];

/**
 * SQL of the relations that the product made. An extension may keep its own in the same schema: they cannot be dropped
 * without it. Of a composite type, only the type itself belongs to the extension.
 */
export const OWN_RELATIONS = `(
  select oid, relname, relkind from pg_class
  where relnamespace = 'public'::regnamespace and not exists (
    select from pg_depend where deptype = 'e'
      and (classid, objid) in (('pg_class'::regclass, pg_class.oid), ('pg_type'::regclass, reltype))))`;

/** A table of the product, its columns quoted where SQL needs it. */
export type Table = { name: string; columns: string[] };

/** The product's tables, each after those it references. Queued jobs are not included: mail is queued again. */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `select t.relname as name,
       (select array_agg(quote_ident(attname)::text order by attnum) from pg_attribute
        where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       coalesce((select array_agg(distinct r.relname::text) from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = t.oid and k.contype = 'f' and r.oid <> t.oid), '{}') as refers_to
     from ${OWN_RELATIONS} t
     where t.relkind = 'r' and t.relname <> all ($1) and t.relname <> 'schema_migrations'
     order by t.relname`,
    [LEFT_OUT],
  );
  const ordered: Table[] = [];
  const waiting = [...rows];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ refers_to }) =>
      refers_to.every((name) => !waiting.some((other) => other.name === name)),
    );
    const [table] = waiting.splice(next, 1);
    if (next < 0 || !table) throw new Error('tables reference each other in a cycle');
    ordered.push({ name: table.name, columns: table.columns });
  }
  return ordered;
}

/** The migrations that made the schema. */
export async function migrationsOf(client: Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name collate "C"',
  );
  return rows;
}

/** Read after the rows and unaffected by the snapshot: never behind an id that the backup contains. */
export async function sequencesOf(client: Client): Promise<Manifest['sequences']> {
  const { rows: sequences } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from ${OWN_RELATIONS} own where relkind = 'S'`,
  );
  const values = [];
  for (const { name } of sequences) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${name}`,
    );
    values.push({ name, value: rows[0]?.value ?? '1', called: rows[0]?.called ?? false });
  }
  return values;
}
