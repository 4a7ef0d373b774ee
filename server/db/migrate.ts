import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { errorCode } from '#server/data-dir.ts';
import { LOCKS } from '#server/db/locks.ts';
import { START_CONNECT_MS, sessionAt } from '#server/db/pool.ts';
import { explainRefusal } from '#server/db/roles.ts';
import { ROOT } from '#server/root.ts';
import { StartError } from '#server/start-error.ts';

type Migration = { name: string; sql: string; checksum: string };

/** Oldest supported PostgreSQL, in the format of `server_version_num`. */
const OLDEST_SERVER = 15_00_00;

const MIGRATIONS = join(ROOT, 'server/db/migrations');

const CREATE_RECORD = `
  create table if not exists schema_migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;
const RECORD = 'insert into schema_migrations (name, checksum) values ($1, $2)';

/** The comment on `schema_migrations` while a restore has not ended. */
const RESTORING = 'being restored';

/**
 * Brings a database up to date: runs the files `NNNN_name.sql` of a folder that were not applied to it yet, in order
 * and each in its own transaction. Several processes may call it at once; one migrates while the others wait.
 *
 * @param ownerUrl connection of the role that owns the tables, directly to PostgreSQL (not through a transaction pooler).
 * @param options.folder where the files are; the product's own by default.
 * @param options.signal gives up when aborted, and rolls back a migration under way.
 * @param options.restoring whether this is part of a restore, see {@link markRestoring}.
 * @returns the names of the migrations that this call applied.
 * @throws {StartError} when the database cannot be reached, is too old, read-only or not in UTF-8, does not let its owner
 *   create and grant the server's roles, was left by an interrupted restore, or does not match the files: an applied file
 *   was changed or is missing, or a new one comes before an applied one.
 */
export async function migrate(
  ownerUrl: string,
  {
    folder = MIGRATIONS,
    signal,
    restoring = false,
  }: { folder?: string; signal?: AbortSignal; restoring?: boolean } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await connectOwner(ownerUrl);
  // Waiting for the lock may take as long as another process migrates; closing the connection ends it.
  const giveUp = () => client.end();
  signal?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    // The lock belongs to the connection, so that a process that dies midway releases it.
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    await runAsOwner(client, CREATE_RECORD);
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name collate "C"',
    );
    if (applied.rowCount === 0) await requireUtf8(client);
    if (!restoring) await requireRestored(client);
    const pending = pendingMigrations(migrations, applied.rows);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    signal?.removeEventListener('abort', giveUp);
    await client.end();
  }
}

/** Whether a database has ever been migrated. Reads only. */
export async function wasMigrated(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(
    "select to_regclass('public.schema_migrations') is not null as made",
  );
  return rows[0]?.made === true;
}

/**
 * Marks a migrated database as one whose restore has not ended, or has: from the commit of its rows until its queue, files
 * and secret fit them, too, nothing may serve it or copy it.
 */
export async function markRestoring(client: Client, restoring: boolean): Promise<void> {
  await client.query(`comment on table schema_migrations is ${restoring ? `'${RESTORING}'` : 'null'}`);
}

/** Whether a restore of a migrated database was interrupted after its rows were committed. Reads only. */
export async function isHalfRestored(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description('public.schema_migrations'::regclass, 'pg_class') as comment",
  );
  return rows[0]?.comment === RESTORING;
}

/** @throws {StartError} when a migrated database is half restored */
async function requireRestored(client: Client): Promise<void> {
  if (!(await isHalfRestored(client))) return;
  throw new StartError('a restore of this database was interrupted: repeat it with --replace');
}

/**
 * Checks that a database has been migrated before, and that no restore of it was interrupted. Reads only.
 * @throws {StartError} when it was never migrated, or its restore has not ended
 */
export async function requireInstallation(client: Client): Promise<void> {
  if (await wasMigrated(client)) return requireRestored(client);
  throw new StartError(
    'the database contains no installation: set DATA_DIR or DATABASE_URL to the right one',
  );
}

/** Names of this release's migrations that were not applied to a database yet. Reads only. */
export async function migrationsMissingFrom(client: Client): Promise<string[]> {
  const migrations = await readMigrations(MIGRATIONS);
  const { rows } = (await wasMigrated(client))
    ? await client.query<{ name: string }>('select name from schema_migrations')
    : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

/**
 * Builds the schema as it was after exactly the migrations `applied`, in the transaction that `client` has begun: for a
 * backup, whose rows fit no other schema. `migrate` then brings it up to date.
 *
 * @throws {StartError} when this release does not have one of them, or a different version of it, the owner may not create
 *   and grant the server's roles, or the database is not in UTF-8.
 */
export async function replayMigrations(
  client: Client,
  applied: readonly { name: string; checksum: string }[],
): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS);
  await requireUtf8(client);
  await runAsOwner(client, CREATE_RECORD);
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (migration?.name !== name || migration.checksum !== checksum) {
      throw new StartError(
        `migration ${name} of the backup does not match this release: restore with the release that made the backup, or a later one`,
      );
    }
    await runAsOwner(client, migration.sql);
    await client.query(RECORD, [name, checksum]);
  }
}

/** @throws {StartError} when the owner lacks a right */
async function runAsOwner(client: Client, sql: string): Promise<void> {
  await client.query(sql).catch(async (error) => {
    throw await explainRefusal(client, error);
  });
}

/**
 * Other encodings cannot hold every name; `SQL_ASCII`, which PostgreSQL chooses in the locale `C`, would count bytes and fold
 * only ASCII letters.
 * @throws {StartError} when the database has another encoding
 */
async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new StartError(
      `the database has the encoding ${encoding}: create it with UTF8, as shown in docs/operations.md`,
    );
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const misnamed = files.find((file) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(file));
  if (misnamed) throw new StartError(`migration ${misnamed}: a name must look like 0001_some_name.sql`);
  const repeated = files.find((file, index) => files[index + 1]?.slice(0, 4) === file.slice(0, 4));
  if (repeated) throw new StartError(`migration ${repeated}: another file has the same number`);

  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8');
      // A checkout on Windows may have other line endings, which are no change.
      const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
      return { name: file.slice(0, -'.sql'.length), sql, checksum };
    }),
  );
}

/**
 * The files still to apply.
 * @throws {StartError} unless the applied migrations are among the files, unchanged, and before all others
 */
function pendingMigrations(files: Migration[], applied: { name: string; checksum: string }[]): Migration[] {
  for (const [index, row] of applied.entries()) {
    const file = files.find((candidate) => candidate.name === row.name);
    if (!file) {
      throw new StartError(
        `migration ${row.name} was applied to this database but is not among the files: is this an older release?`,
      );
    }
    if (file.checksum !== row.checksum) {
      throw new StartError(
        `migration ${row.name} was changed after it was applied: restore it and put the change in a new file`,
      );
    }
    const expected = files[index];
    if (expected && expected.name !== row.name) {
      throw new StartError(
        `migration ${expected.name} comes before ${row.name}, which is already applied: give it a later number`,
      );
    }
  }
  return files.slice(applied.length);
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query(RECORD, [migration.name, migration.checksum]);
    await client.query('commit');
  } catch (error) {
    const cause = await explainRefusal(client, error);
    if (cause instanceof StartError) throw cause;
    // Whatever failed, closing the connection rolls the transaction back.
    throw new Error(`migration ${migration.name} failed and was rolled back`, { cause });
  }
}

/**
 * Connects as the owner.
 * @throws {StartError} when the database cannot be reached or is too old
 */
export async function connectOwner(ownerUrl: string): Promise<Client> {
  const client = ownerClient(ownerUrl);
  // A connection lost later fails the query under way, which reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; text: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
    );
    const version = rows[0];
    if (version && version.number < OLDEST_SERVER) {
      throw new StartError(`the database is PostgreSQL ${version.text}; version 15 or later is needed`);
    }
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot reach the database at ${client.host}:${client.port} (${reason(error)})`, {
      cause: error,
    });
  }
}

/** @throws {StartError} when the address names a certificate that cannot be read, or is invalid otherwise */
function ownerClient(ownerUrl: string): Client {
  try {
    return new Client({
      ...sessionAt(ownerUrl),
      connectionTimeoutMillis: START_CONNECT_MS,
      application_name: 'trasvia owner',
    });
  } catch (cause) {
    throw new StartError(`DATABASE_URL cannot be used (${reason(cause)})`, { cause });
  }
}

/** The message of PostgreSQL or the network; it never contains the password. */
function reason(error: unknown): string {
  // Node tries every address of a host name; the failure then contains one error per address.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && first.message !== '' ? first.message : errorCode(first);
}
