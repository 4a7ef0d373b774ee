import { realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode, keptSecret, lockDataDir, prepareDataDir } from '#server/data-dir.ts';
import { type Cluster, findCluster, openCluster } from '#server/db/cluster.ts';
import { LOCKS } from '#server/db/locks.ts';
import {
  findPostmaster,
  freePort,
  POLL_MS,
  programOf,
  spawnPostmaster,
  stopPostmaster,
} from '#server/db/postmaster.ts';
import { StartError } from '#server/start-error.ts';

export type EmbeddedPostgres = {
  /** Connection of the role that owns the product's database; it may create databases and roles, but is no superuser. */
  ownerUrl: string;
  /** Ends every session, flushes everything to disk and stops the server. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Absolute path of the folder that holds everything the server needs. */
  dataDir: string;
  /** Receives one line for each thing an operator should know. */
  log?: (line: string) => void;
  /** Called once if the server is lost for good: it died and cannot be restarted. */
  onLost?: (error: unknown) => void;
  /** Maximum number of connections to a server started here; by default, as many as the product needs. */
  maxConnections?: number;
  /** Cancels the start when aborted before the server answers; nothing is left running. */
  signal?: AbortSignal;
};

/** Enough for the maximum number of application processes (`poolSizes` in server/services.ts), and for operators. */
const MAX_CONNECTIONS = 100;

const DATABASE = 'trasvia';
const OWNER = 'trasvia';

/** How long a start may take. Recovery after a power cut replays the log of the last minutes, in far less time. */
const START_PATIENCE_MS = 120_000;

/** Pause before retrying a start that failed for a temporary reason. */
const RETRY_MS = 100;

/**
 * Pause before retrying to restart a server that ran until now, whatever the failure: on a full disk, above all, the
 * server cannot log the reason.
 */
const RETRY_AFTER_FAILURE_MS = 1_000;

/** With less free space PostgreSQL may not start: it writes its write-ahead log in files of 16 MB. */
const SPACE_TO_START_BYTES = 32 * 1024 * 1024;

/**
 * Starts the bundled PostgreSQL on `DATA_DIR/postgres`, or adopts the one that a killed application left running there. The
 * application then holds that `DATA_DIR` exclusively until `stop()` or the end of its process. A server that dies meanwhile
 * is restarted on the same port; a failing restart is retried for two minutes, or, with a full disk, until there is space.
 *
 * @throws {StartError} when another application holds this `DATA_DIR`, or PostgreSQL cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log = () => undefined, onLost = () => undefined } = options;
  const { maxConnections = MAX_CONNECTIONS, signal = new AbortController().signal } = options;
  await prepareDataDir(dataDir);
  const folder = await lockDataDir(dataDir);
  try {
    const postgres = await runCluster(await openCluster(dataDir, log), {
      dataDir,
      log,
      onLost,
      maxConnections,
      signal,
    });
    return {
      ownerUrl: postgres.ownerUrl,
      stop: () => postgres.stop().finally(folder.release),
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

async function runCluster(
  cluster: Cluster,
  { dataDir, log, onLost, maxConnections, signal }: Required<EmbeddedPostgresOptions>,
): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();

  const hold = async (wantedPort?: number): Promise<number> => {
    const isFirst = wantedPort === undefined;
    const givenUp = isFirst ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
    const { client, port } = await acquire(cluster, dataDir, {
      wantedPort,
      maxConnections,
      signal: givenUp,
      log,
    });
    client.on('end', () => {
      if (stopping.signal.aborted) return;
      log('PostgreSQL closed the connection that holds the application lock: reconnecting');
      holding = hold(port);
      holding.catch((error: unknown) => {
        if (!stopping.signal.aborted) onLost(error);
      });
    });
    if (isFirst) await prepareDatabase(client, cluster.password);
    return port;
  };

  let holding = hold();
  let port: number;
  try {
    port = await holding;
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      stopping.abort();
      await stopPostmaster(cluster.dir);
    }
    throw error;
  }
  return {
    ownerUrl: ownerUrl(port, cluster.password),
    stop: async () => {
      stopping.abort();
      // Wait for a restart under way, so that its server is stopped, too.
      await holding.catch(() => undefined);
      await stopPostmaster(cluster.dir);
    },
  };
}

/**
 * Connection of the owner (as `ownerUrl` of {@link startEmbeddedPostgres}) to the server running on a `DATA_DIR`, for
 * operator commands that run beside the application; `null` when none runs.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const dir = await findCluster(dataDir);
  const port = dir && (await findPostmaster(dir))?.port;
  return port ? ownerUrl(port, await keptSecret(dataDir, 'postgres-password')) : null;
}

function ownerUrl(port: number, password: string): string {
  return `postgresql://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** Finds or starts the server, waits until it answers, and takes the application lock on a dedicated connection. */
async function acquire(
  cluster: Cluster,
  dataDir: string,
  {
    wantedPort,
    maxConnections,
    signal,
    log,
  }: {
    /** Port of the server that died; undefined for the first start. */
    wantedPort: number | undefined;
    maxConnections: number;
    signal: AbortSignal;
    log: (line: string) => void;
  },
): Promise<{ client: Client; port: number }> {
  const logPath = join(dataDir, 'postgres.log');
  let deadline = Date.now() + START_PATIENCE_MS;
  let told = '';
  let whyEnded: Awaited<ReturnType<typeof spawnPostmaster>> | undefined;

  while (Date.now() < deadline) {
    signal.throwIfAborted();
    const running = await findPostmaster(cluster.dir);
    if (running?.port) {
      const client = await lock(running.port, cluster.password, dataDir);
      if (client && (await isCurrent(running.pid, cluster))) return { client, port: running.port };
      // Started by an older installation, whose files may be gone: it is replaced by a current one.
      if (client) await stopPostmaster(cluster.dir);
    } else if (!running) {
      const reasons = await whyEnded?.();
      if (reasons && !reasons.some(isPassing)) {
        if (wantedPort === undefined)
          throw new StartError(`PostgreSQL did not start: ${reasons.at(-1)} (see ${logPath})`);
        const outOfSpace = await lacksSpace(dataDir, reasons);
        if (outOfSpace) deadline = Date.now() + START_PATIENCE_MS;
        const trouble = outOfSpace ? 'cannot start: the disk is full' : `does not start: ${reasons.at(-1)}`;
        if (trouble !== told) log(`PostgreSQL ${trouble}; retrying`);
        told = trouble;
        await wait(RETRY_AFTER_FAILURE_MS);
      } else if (reasons) await wait(RETRY_MS);
      if (reasons || !whyEnded)
        whyEnded = await spawnPostmaster(cluster, {
          logPath,
          port: wantedPort ?? (await freePort()),
          maxConnections,
        });
    }
    await wait(POLL_MS);
  }
  throw new StartError(`PostgreSQL does not answer (see ${logPath})`);
}

/**
 * Whether a start failed for a temporary reason: another start at the same moment, or a previous server that is still
 * ending.
 */
function isPassing(reason: string): boolean {
  return /lock file .* already exists|shared memory block|could not create any TCP/.test(reason);
}

/** Whether a start failed for lack of disk space, which may also have kept the reason from being logged. */
async function lacksSpace(dataDir: string, reasons: readonly string[]): Promise<boolean> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize < SPACE_TO_START_BYTES || reasons.some((reason) => /No space left/.test(reason));
}

/** Whether the server runs the installed programs. One started by hand or by an older release runs others. */
async function isCurrent(pid: number, cluster: Cluster): Promise<boolean> {
  const program = await programOf(pid);
  return program === null || program === (await realpath(cluster.binaries.postgres));
}

/**
 * Opens a connection that holds the application lock; `null` while the server does not answer yet.
 *
 * @throws {StartError} when another application holds the lock, or the password is not the server's.
 */
async function lock(port: number, password: string, dataDir: string): Promise<Client | null> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    application_name: 'trasvia lock',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The `end` event that follows is handled instead.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A killed application frees the lock as soon as the server sees its connection closed.
    const deadline = Date.now() + 1_000;
    do {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        LOCKS.application,
      ]);
      if (rows[0]?.taken) return client;
      await wait(POLL_MS);
    } while (Date.now() < deadline);
  } catch (error) {
    await client.end().catch(() => undefined);
    if (errorCode(error) !== '28P01') return null;
    throw new StartError(
      `the password in ${join(dataDir, 'postgres-password')} is not that of ${join(dataDir, 'postgres')}`,
      {
        cause: error,
      },
    );
  }
  await client.end();
  throw new StartError(`another application is running on the PostgreSQL of DATA_DIR ${dataDir}: stop it`);
}

/** Creates the product's database and its owner, who has no more rights than the owner of an external database. */
async function prepareDatabase(client: Client, password: string): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as role,
            exists (select from pg_database where datname = $2) as database`,
    [OWNER, DATABASE],
  );
  // The password is hexadecimal: it needs no quoting.
  if (!rows[0]?.role)
    await client.query(`create role ${OWNER} login createdb createrole password '${password}'`);
  if (!rows[0]?.database) await client.query(`create database ${DATABASE} owner ${OWNER}`);
}
