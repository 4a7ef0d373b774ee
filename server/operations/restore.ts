import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectOwner, markRestoring, migrate, replayMigrations } from '#server/db/migrate.ts';
import { SERVER_ROLES } from '#server/db/roles.ts';
import type { FileStore } from '#server/files/store.ts';
import { restoreQueue } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';
import type { Installation } from './backup.ts';
import { filePath, fingerprint, type Manifest, tablePath } from './backup-content.ts';
import { OWN_RELATIONS, sequencesOf, type Table, tablesOf } from './product-schema.ts';
import { inParts, type OnProgress } from './progress.ts';

/**
 * Replaces the content of an installation with a backup; no application may be running on it. Schema and rows are
 * restored in one transaction; a failed restore can simply be run again. The application refuses to start on one that was
 * interrupted after that transaction.
 *
 * @param source folder of the backup
 * @param manifest as `verifyBackup` returns it: to read a backup takes long, so it is verified once, before anything is made
 *   for it
 * @param replace whether existing records and files may be deleted
 * @param keepSecret stores the secret of the backup where the application reads it
 * @throws {StartError} when the backup is from another release, records or files exist, or an application is connected
 */
export async function restore(
  { databaseUrl, files, authSecret }: Installation,
  source: string,
  manifest: Manifest,
  {
    replace,
    keepSecret,
    onProgress = () => {},
  }: { replace: boolean; keepSecret?: () => Promise<void>; onProgress?: OnProgress },
): Promise<{ queuedMail: number }> {
  if (fingerprint(authSecret) !== manifest.authSecretFingerprint) {
    throw new StartError(
      'AUTH_SECRET is not that of the backup: set it to the content of its auth-secret file',
    );
  }
  const client = await connectOwner(databaseUrl);
  try {
    await refuseConnected(client);
    await client.query('begin');
    if ((await hasRecords(client)) && !replace) {
      throw new StartError('the database contains records: add --replace to delete them');
    }
    if ((await hasFiles(files)) && !replace) {
      throw new StartError('the file store contains files: add --replace to delete them');
    }
    await dropEverything(client);
    await replayMigrations(client, manifest.migrations);
    await requireItsSchema(client, manifest, source);
    await fill(client, manifest, source, onProgress);
    const stored = await pathsIn(files);
    const put = (part: Manifest['files']) =>
      inParts('storing files', part, onProgress, async ({ path }) => {
        await files.put(path, createReadStream(filePath(source, path)));
      });
    await put(manifest.files.filter(({ path }) => !stored.has(path)));
    await markRestoring(client, true);
    await client.query('commit');
    // Only now: until the commit, the former rows may still need the former files of the same names.
    await put(manifest.files.filter(({ path }) => stored.has(path)));
    await migrate(databaseUrl, { restoring: true });
    const queuedMail = await restoreQueue(databaseUrl);
    const kept = new Set(manifest.files.map(({ path }) => path));
    for (const path of stored) if (!kept.has(path)) await files.remove(path);
    await keepSecret?.();
    await markRestoring(client, false);
    return { queuedMail };
  } finally {
    await client.end();
  }
}

/**
 * Checks that a manifest names every table, column and sequence of the schema that its migrations made, and no others:
 * one left out would be restored empty.
 * @throws {StartError} when it does not
 */
async function requireItsSchema(client: Client, manifest: Manifest, source: string): Promise<void> {
  const text = ({ name, columns }: Table) => [name, ...columns.toSorted()].join();
  const compared = {
    tables: [(await tablesOf(client)).map(text), manifest.tables.map(text)],
    sequences: [
      (await sequencesOf(client)).map(({ name }) => name),
      manifest.sequences.map(({ name }) => name),
    ],
  };
  for (const [part, [schema = [], named = []]] of Object.entries(compared)) {
    const other =
      named.find((one, index) => !schema.includes(one) || named.indexOf(one) !== index) ??
      schema.find((one) => !named.includes(one));
    if (other === undefined) continue;
    throw new StartError(
      `the manifest.json of ${source} does not fit the migrations it names (at ${part}: ${other.split(',')[0]}): use another backup`,
    );
  }
}

/**
 * Restores the rows as they were, with triggers disabled because they would add more rows.
 * @throws {StartError} when a table has another number of rows than the manifest says
 */
async function fill(
  client: Client,
  manifest: Manifest,
  source: string,
  onProgress: OnProgress,
): Promise<void> {
  const { sequences } = manifest;
  const order = (await tablesOf(client)).map(({ name }) => name);
  const tables = manifest.tables.toSorted(
    (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
  );
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`);
  await inParts('restoring tables', tables, onProgress, async ({ name, columns, rows }) => {
    const target = client.query(copyFrom(`copy "${name}" (${columns.join(', ')}) from stdin`));
    await pipeline(createReadStream(tablePath(source, name)), createGunzip(), target);
    if (target.rowCount !== rows) {
      throw new StartError(
        `${tablePath(source, name)} has ${target.rowCount} rows instead of ${rows}: use another backup`,
      );
    }
  });
  for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`);
  // Flushes the pending lists of the GIN indexes, as the trigger of invoices does: searches read those lists
  // completely.
  await client.query(`select gin_clean_pending_list(indexrelid) from pg_index
    join ${OWN_RELATIONS} own on own.oid = indrelid join pg_class on pg_class.oid = indexrelid
    where relam = (select oid from pg_am where amname = 'gin')`);
  for (const { name, value, called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, value, called]);
  }
}

async function refuseConnected(client: Client): Promise<void> {
  // The server has logins of its own, operators' commands have not. DATABASE_URL may give both another application_name.
  const { rows } = await client.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and (application_name = any ($1)
       or usename in (select role || '_' || current_database() from unnest($1::text[]) as role))`,
    [SERVER_ROLES],
  );
  if (rows[0]?.sessions) {
    throw new StartError('the application is connected to this database: stop all its processes first');
  }
}

async function hasRecords(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(
    "select to_regclass('public.profiles') is not null as made",
  );
  if (!rows[0]?.made) return false;
  const found = await client.query('select from profiles limit 1');
  return found.rowCount === 1;
}

async function hasFiles(store: FileStore): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}

async function pathsIn(store: FileStore): Promise<Set<string>> {
  const paths = new Set<string>();
  for await (const { path } of store.list()) paths.add(path);
  return paths;
}

/**
 * Drops everything the product created, but not the schema, which may belong to the cluster's superuser, nor
 * extensions.
 */
async function dropEverything(client: Client): Promise<void> {
  await client.query('drop schema if exists pgboss cascade');
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop %s if exists %s cascade',
       case relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
       oid::regclass) as statement
     from ${OWN_RELATIONS} own where relkind in ('v', 'r', 'S', 'c')
     union all
     select format('drop function if exists %s cascade', oid::regprocedure)
     from pg_proc where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
  );
  for (const { statement } of rows) await client.query(statement);
}
