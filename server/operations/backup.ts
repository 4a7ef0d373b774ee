import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { makeFolder } from '#server/data-dir.ts';
import { LOCKS } from '#server/db/locks.ts';
import {
  connectOwner,
  markRestoring,
  migrate,
  replayMigrations,
  requireInstallation,
} from '#server/db/migrate.ts';
import { SERVER_ROLES } from '#server/db/roles.ts';
import { referencedPictures } from '#server/features/profile/commands.ts';
import { isStorable, syncFolder } from '#server/files/folder.ts';
import type { FileStore } from '#server/files/store.ts';
import { restoreQueue } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';

/** Request counts of the last hour at most, which are meaningless after a restore. */
const LEFT_OUT = ['rate_limits'];

/**
 * SQL of the relations that the product made. An extension may keep its own in the same schema: they cannot be dropped
 * without it. Of a composite type, only the type itself belongs to the extension.
 */
const OWN_RELATIONS = `(
  select oid, relname, relkind from pg_class
  where relnamespace = 'public'::regnamespace and not exists (
    select from pg_depend where deptype = 'e'
      and (classid, objid) in (('pg_class'::regclass, pg_class.oid), ('pg_type'::regclass, reltype))))`;

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A table or sequence of the product; such a name needs no quotes in SQL or in a path. */
const relation = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const manifestSchema = z.object({
  format: z.literal(1),
  /** Time of the database snapshot, ISO 8601 UTC. */
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: relation,
      columns: z.array(z.string()),
      rows: count,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: relation, value: z.string().regex(/^\d+$/), called: z.boolean() })),
  files: z.array(z.object({ path: z.string().refine(isStorable), size: count, sha256 })),
  /** Allows comparing secrets without revealing them. */
  authSecretFingerprint: z.string(),
});

/** The content of a backup, as written in its `manifest.json`. */
export type Manifest = z.output<typeof manifestSchema>;

/** The installation that is backed up or restored. */
export type Installation = {
  /** Connection URL of the database's owner. */
  databaseUrl: string;
  files: FileStore;
  /** The secret in use; part of the backup, because second factors cannot be read without it. */
  authSecret: string;
};

/**
 * Copies an installation while it serves: every row as of one instant, and exactly the files those rows refer to. Most
 * files are copied beforehand; only the last ones block writers of files.
 *
 * @param target folder that does not exist yet. It will hold secrets and personal data, and is readable by its owner
 *   only.
 * @throws {StartError} when the folder exists, another backup is being written into it, or the database cannot be reached
 *   or was never migrated
 */
export async function backUp(installation: Installation, target: string): Promise<Manifest> {
  if (await lstat(target).catch(() => null)) {
    throw new StartError(`${target} already exists: name a new folder`);
  }
  const client = await connectOwner(installation.databaseUrl);
  try {
    await requireInstallation(client);
    await lockTarget(client, target);
    return await writeBackup(client, installation, target);
  } finally {
    await client.end();
  }
}

async function writeBackup(client: Client, installation: Installation, target: string): Promise<Manifest> {
  const draft = `${target}.partial`;
  try {
    await makeFolder(dirname(resolve(target)));
    await rm(draft, { recursive: true, force: true });
    await makeFolder(join(draft, 'database'), 0o700);

    const copies = new FileCopies(installation.files, join(draft, 'files'));
    await copies.update(await referredFiles(client));

    await client.query("set lock_timeout = '60s'");
    await client.query('select pg_advisory_lock($1)', [LOCKS.files]);
    // The first statement takes the snapshot; the lock is already held then.
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ at: Date }>('select now() as at');
    await copies.update(await referredFiles(client));
    await client.query('select pg_advisory_unlock($1)', [LOCKS.files]);

    const tables = [];
    for (const table of await tablesOf(client)) {
      tables.push({ ...table, ...(await dumpTable(client, table, join(draft, 'database'))) });
    }
    const manifest: Manifest = {
      format: 1,
      takenAt: (rows[0]?.at ?? new Date()).toISOString(),
      migrations: await migrationsOf(client),
      tables,
      sequences: await sequencesOf(client),
      files: copies.taken(),
      authSecretFingerprint: fingerprint(installation.authSecret),
    };
    await client.query('commit');
    await writeFile(join(draft, 'auth-secret'), `${installation.authSecret}\n`, { mode: 0o600, flush: true });
    await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await syncFolder(draft);
    await rename(draft, target);
    await syncFolder(dirname(resolve(target)));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Until the connection ends, only it may write a backup into `target`. Each backup first removes what an interrupted one
 * has left, and would remove what another is writing, which might then complete without its files.
 */
async function lockTarget(client: Client, target: string): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, $2)) as taken',
    [resolve(target), LOCKS.backup],
  );
  if (!rows[0]?.taken) throw new StartError(`another backup into ${target} is running`);
}

/**
 * Reads a whole backup and compares it with its manifest.
 * @throws {StartError} when something is missing or differs
 */
export async function verifyBackup(source: string): Promise<Manifest> {
  const text = await readText(join(source, 'manifest.json')).catch((cause) => {
    throw new StartError(`${source} is not a complete backup: it has no manifest.json`, { cause });
  });
  const manifest = readManifest(source, text);
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => ({ path: tablePath(source, name), sha256 })),
    ...manifest.files.map(({ path, sha256 }) => ({ path: filePath(source, path), sha256 })),
  ];
  for (const { path, sha256 } of parts) {
    const found = await digestOf(path).catch(() => null);
    if (found !== sha256) {
      const state = found === null ? 'missing or cannot be read' : 'damaged';
      throw new StartError(`${path} is ${state}: use another backup`);
    }
  }
  return manifest;
}

function readManifest(source: string, text: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    const path = cause instanceof z.ZodError ? cause.issues[0]?.path : undefined;
    const place = path?.length ? ` (at ${path.join('.')})` : '';
    throw new StartError(`the manifest.json of ${source} is damaged or from a later release${place}`, {
      cause,
    });
  }
}

/**
 * The secret with which a backup's second factors and sessions were created.
 * @throws {StartError} when its file is missing or damaged
 */
export async function secretOf(source: string, { authSecretFingerprint }: Manifest): Promise<string> {
  const path = join(source, 'auth-secret');
  const secret = (await readText(path).catch(() => '')).trim();
  if (fingerprint(secret) !== authSecretFingerprint) {
    throw new StartError(
      `${path} is missing or damaged: set AUTH_SECRET to the secret, or use another backup`,
    );
  }
  return secret;
}

/**
 * Replaces the content of an installation with a backup; no application may be running on it. Schema and rows are
 * restored in one transaction; a failed restore can simply be run again. The application refuses to start on one that was
 * interrupted after that transaction.
 *
 * @param replace whether existing records and files may be deleted
 * @param keepSecret stores the secret of the backup where the application reads it
 * @throws {StartError} when the backup is damaged or from another release, records or files exist, or an application is
 *   connected
 */
export async function restore(
  { databaseUrl, files, authSecret }: Installation,
  source: string,
  { replace, keepSecret }: { replace: boolean; keepSecret?: () => Promise<void> },
): Promise<{ queuedMail: number }> {
  const manifest = await verifyBackup(source);
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
    await fill(client, manifest, source);
    const stored = await pathsIn(files);
    const put = async ({ path }: Manifest['files'][number]) => {
      await files.put(path, createReadStream(filePath(source, path)));
    };
    for (const file of manifest.files) if (!stored.has(file.path)) await put(file);
    await markRestoring(client, true);
    await client.query('commit');
    // Only now: until the commit, the former rows may still need the former files of the same names.
    for (const file of manifest.files) if (stored.has(file.path)) await put(file);
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

type Table = { name: string; columns: string[] };

/** The paths of all files that records refer to. */
async function referredFiles(client: Client): Promise<Set<string>> {
  const pictures = await referencedPictures(drizzle(client, { casing: 'snake_case' }));
  const { rows: pdfs } = await client.query<{ path: string }>(
    'select file_url as path from invoices where file_url is not null',
  );
  return new Set([...pictures, ...pdfs.map(({ path }) => path)]);
}

/** Copies of a store's files in a folder, which can be updated repeatedly. */
class FileCopies {
  readonly #store: FileStore;
  readonly #folder: string;
  readonly #copies = new Map<string, { size: number; sha256: string }>();

  constructor(store: FileStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Copies exactly the files at `paths`. A path is never reused, so what has been copied is not read again. */
  async update(paths: ReadonlySet<string>): Promise<void> {
    for (const path of paths) if (!this.#copies.has(path)) await this.#copy(path);
    for (const path of this.#copies.keys()) {
      if (paths.has(path)) continue;
      await rm(join(this.#folder, path));
      this.#copies.delete(path);
    }
  }

  async #copy(path: string): Promise<void> {
    const file = await this.#store.open(path);
    // Removed since its path was read, so nothing refers to it any more; or lost, as `npm run doctor` reports.
    if (!file) return;
    const target = join(this.#folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const digest = new Digest();
    await pipeline(file.read(), digest, createWriteStream(target, { mode: 0o600, flush: true }));
    this.#copies.set(path, { size: file.size, sha256: digest.value() });
  }

  taken(): Manifest['files'] {
    return [...this.#copies].map(([path, { size, sha256 }]) => ({ path, size, sha256 }));
  }
}

/** Passes bytes through and computes their SHA-256. */
class Digest extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  value(): string {
    return this.#hash.digest('hex');
  }
}

/** Opens a regular file. Anything else might wait for a writer for ever, as a named pipe, or never end, as a device. */
async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is not a regular file`);
}

async function readText(path: string): Promise<string> {
  const file = await openRegular(path);
  return file.readFile('utf8').finally(() => file.close());
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await openRegular(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk);
  return hash.digest('hex');
}

function fingerprint(secret: string): string {
  return createHash('sha256').update(`fingerprint of ${secret}`).digest('hex').slice(0, 16);
}

function tablePath(folder: string, table: string): string {
  return join(folder, 'database', `${table}.copy.gz`);
}

function filePath(folder: string, path: string): string {
  return join(folder, 'files', path);
}

/** The product's tables, each after those it references. Queued jobs are not included: mail is queued again. */
async function tablesOf(client: Client): Promise<Table[]> {
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

async function migrationsOf(client: Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name collate "C"',
  );
  return rows;
}

/** Read after the rows and unaffected by the snapshot: never behind an id that the backup contains. */
async function sequencesOf(client: Client): Promise<Manifest['sequences']> {
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

async function dumpTable(
  client: Client,
  { name, columns }: Table,
  folder: string,
): Promise<{ rows: number; sha256: string }> {
  const rows = client.query(copyTo(`copy "${name}" (${columns.join(', ')}) to stdout`));
  const digest = new Digest();
  const target = createWriteStream(join(folder, `${name}.copy.gz`), { mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: 6 }), digest, target);
  return { rows: rows.rowCount, sha256: digest.value() };
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
async function fill(client: Client, manifest: Manifest, source: string): Promise<void> {
  const { sequences } = manifest;
  const order = (await tablesOf(client)).map(({ name }) => name);
  const tables = manifest.tables.toSorted(
    (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
  );
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`);
  for (const { name, columns, rows } of tables) {
    const target = client.query(copyFrom(`copy "${name}" (${columns.join(', ')}) from stdin`));
    await pipeline(createReadStream(tablePath(source, name)), createGunzip(), target);
    if (target.rowCount !== rows) {
      throw new StartError(
        `${tablePath(source, name)} has ${target.rowCount} rows instead of ${rows}: use another backup`,
      );
    }
  }
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
