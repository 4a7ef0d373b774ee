import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { isAlive } from '#server/db/cluster.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded.ts';
import { loginName } from '#server/db/logins.ts';
import { migrate } from '#server/db/migrate.ts';
import { openPool } from '#server/db/pool.ts';
import { SERVER_ROLES } from '#server/db/roles.ts';
import { migrateJobs } from '#server/jobs/boss.ts';

/** What a test worker needs to create databases; plain data, so that it can be passed between processes. */
export type TestCluster = {
  /** Connection URL of a role that may create databases. */
  ownerUrl: string;
  /** Part of the name of every database of this run. */
  runId: string;
};

/** Each application under test has the connection pools of a whole server; several run at once, and some are killed. */
const MAX_CONNECTIONS = 400;

/** Prefix of every test database and folder, so that those of a killed run can be found. */
const PREFIX = 'trasvia_test_';

/**
 * Starts the PostgreSQL of one test run: the server behind `databaseUrl`, or an embedded one in a temporary folder. It
 * holds one migrated template, of which every test file gets a copy.
 *
 * @param databaseUrl connection URL of a role that may create databases and roles; empty for the embedded server
 */
export async function startTestCluster(
  databaseUrl: string | undefined,
): Promise<TestCluster & { stop(): Promise<void> }> {
  await removeLeftFolders();
  const server = databaseUrl
    ? { ownerUrl: databaseUrl, stop: async () => {} }
    : await startTemporaryPostgres();
  const runId = randomBytes(4).toString('hex');
  const cluster = { ownerUrl: server.ownerUrl, runId };
  const keeper = new Client({ connectionString: server.ownerUrl });
  await keeper.connect();
  // Held until the run ends in any way: a database whose run no longer holds its lock is a leftover.
  await keeper.query('select pg_advisory_lock(hashtext($1))', [databasesOf(runId)]);
  await dropLeftovers(keeper);
  await makeTemplate(cluster);
  return {
    ...cluster,
    async stop() {
      await dropDatabasesOf(keeper, runId);
      await keeper.end();
      await server.stop();
    },
  };
}

/** A database of one test; `drop` closes the connections that are still open. */
export type TestDatabase = { databaseUrl: string; drop(): Promise<void> };

/** A database with the schema and nothing else. */
export function createTestDatabase(cluster: TestCluster): Promise<TestDatabase> {
  return createDatabase(cluster, `template ${templateOf(cluster)}`);
}

/** An empty database, without a schema. */
export function createEmptyDatabase(cluster: TestCluster): Promise<TestDatabase> {
  return createDatabase(cluster, '');
}

async function createDatabase(cluster: TestCluster, options: string): Promise<TestDatabase> {
  const name = `${databasesOf(cluster.runId)}${randomBytes(6).toString('hex')}`;
  await asOwner(cluster, async (owner) => {
    await owner.query(`create database ${name} ${options}`);
    // What tests write need not survive a power cut, so a commit does not wait for the disk.
    await owner.query(`alter database ${name} set synchronous_commit = off`);
  });
  return {
    databaseUrl: urlOf(cluster, name),
    drop: () => asOwner(cluster, (owner) => dropDatabase(owner, name)),
  };
}

/** Creates a temporary folder. If this process is killed before removing it, a later run does. */
export function makeTestFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}_`));
}

async function startTemporaryPostgres(): Promise<{ ownerUrl: string; stop(): Promise<void> }> {
  const folder = await makeTestFolder();
  const server = await startEmbeddedPostgres({ dataDir: folder, maxConnections: MAX_CONNECTIONS });
  return {
    ownerUrl: server.ownerUrl,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Removes the folders of killed processes, and stops a PostgreSQL that still runs on one. */
async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)_`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Another run may be removing it, or its PostgreSQL may still be stopping: a later run removes the rest.
    await removeLeftFolder(join(tmpdir(), name)).catch((error: Error) =>
      console.warn(`Left: ${error.message}`),
    );
  }
}

async function removeLeftFolder(folder: string): Promise<void> {
  if (!(await isOwn(folder))) return;
  // Some tests put the data folder into `data`, to test the folder around it.
  for (const dataDir of [folder, join(folder, 'data')]) {
    const orphan = await findEmbeddedPostgres(dataDir).catch(() => null);
    if (orphan !== null) {
      await (await startEmbeddedPostgres({ dataDir })).stop();
    }
  }
  await rm(folder, { recursive: true, force: true });
}

async function isOwn(folder: string): Promise<boolean> {
  return (await stat(folder)).uid === userInfo().uid;
}

async function makeTemplate(cluster: TestCluster): Promise<void> {
  const name = templateOf(cluster);
  await asOwner(cluster, (owner) => owner.query(`create database ${name}`));
  await migrate(urlOf(cluster, name));
  const pool = openPool({ connectionString: urlOf(cluster, name), max: 1 });
  await migrateJobs(pool);
  await pool.end();
}

async function dropLeftovers(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ run: string }>(
    `select distinct substring(datname from '^${PREFIX}([0-9a-f]{8})_') as run
     from pg_database where datname ~ '^${PREFIX}[0-9a-f]{8}_'`,
  );
  for (const { run } of rows) {
    const lock = await owner.query<{ free: boolean }>('select pg_try_advisory_lock(hashtext($1)) as free', [
      databasesOf(run),
    ]);
    if (lock.rows[0]?.free) {
      await dropDatabasesOf(owner, run);
      await owner.query('select pg_advisory_unlock(hashtext($1))', [databasesOf(run)]);
    }
  }
}

async function dropDatabasesOf(owner: Client, runId: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [databasesOf(runId)],
  );
  for (const { name } of rows) {
    await dropDatabase(owner, name);
  }
}

/**
 * Not `with (force)`: PostgreSQL refuses that to an owner who is not a superuser while autovacuum works on the database.
 * A plain drop stops autovacuum and waits for connections that are being closed.
 */
async function dropDatabase(owner: Client, name: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    return;
  }
  await owner.query(`alter database ${name} allow_connections false`);
  await owner.query(
    // Background workers of PostgreSQL belong to no user.
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usesysid is not null',
    [name],
  );
  await owner.query(`drop database ${name}`);
  for (const role of SERVER_ROLES) await owner.query(`drop role if exists ${loginName(role, name)}`);
}

/** Prefix of the names of a run's databases. */
function databasesOf(runId: string): string {
  return `${PREFIX}${runId}_`;
}

function templateOf({ runId }: TestCluster): string {
  return `${databasesOf(runId)}template`;
}

function urlOf({ ownerUrl }: TestCluster, database: string): string {
  const url = new URL(ownerUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function asOwner<Result>(
  { ownerUrl }: TestCluster,
  work: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
