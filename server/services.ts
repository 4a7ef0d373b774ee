import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Auth, createAuth } from '#server/auth/auth.ts';
import { proveAddress } from '#server/auth/credentials.ts';
import { accountMail } from '#server/auth/mail.ts';
import { startAccountMailWorker } from '#server/auth/mail-worker.ts';
import { rememberCookies, type VerifiedCookies } from '#server/auth/verified-cookies.ts';
import { ensureLogins } from '#server/db/logins.ts';
import { openPool, START_CONNECT_MS } from '#server/db/pool.ts';
import type { ServerRole } from '#server/db/roles.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { type Env, isLoopback, type ServingEnv } from '#server/env.ts';
import { openFileStore } from '#server/files/open-store.ts';
import type { FileStore } from '#server/files/store.ts';
import { type Metrics, openMetrics } from '#server/http/metrics.ts';
import { type Jobs, migrateJobs, QUEUES, type Queues, startJobs } from '#server/jobs/boss.ts';
import { requeueMail, startMailWorker } from '#server/mail/queue.ts';
import { createTransportFor } from '#server/mail/transport.ts';
import { openLog } from '#server/operations/log.ts';
import { purge } from '#server/operations/retention.ts';

/** What requests and jobs use besides their own code: opened once per process, passed explicitly. */
export type Services = {
  env: Env;
  log: Logger;
  /** Connections as trasvia_app, which is subject to row-level security. */
  pool: Pool;
  auth: Auth;
  verifiedCookies: VerifiedCookies;
  jobs: Jobs;
  files: FileStore;
  metrics: Metrics;
  /** Origins from which browsers may send write requests. */
  origins: string[];
  /** Finishes running jobs and closes every connection. */
  stop(): Promise<void>;
};

/** The services that account commands need. */
export type AccountServices = Pick<Services, 'env' | 'pool' | 'auth'>;

type OpenServices = Omit<Services, 'stop'>;
type Preparation = (services: OpenServices) => Promise<void>;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** The origin of `publicUrl`; for a loopback address also its other spellings, which reach the same server. */
function originsOf(publicUrl: string): string[] {
  const url = new URL(publicUrl);
  if (!isLoopback(url.hostname)) return [url.origin];
  const others = LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${url.port && `:${url.port}`}`);
  return [...new Set([url.origin, ...others])];
}

/** How long a request waits for a connection to the database, in ms. */
const CONNECT_MS = 5_000;

function connect(url: string, role: ServerRole, max: number, log: Logger): Pool {
  const config = {
    connectionString: url,
    options: `-c role=${role}`,
    application_name: role,
    max,
    connectionTimeoutMillis: START_CONNECT_MS,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  };
  return openPool(config, (error) => log.warn({ reason: error.message }, 'idle database connection lost'));
}

/**
 * Maximum connections of each pool in one of `workers` processes. The total of a single process is divided among them,
 * but each keeps enough for its jobs and some concurrent requests. In embedded mode, 8 processes leave a quarter of the
 * 100 connections free.
 */
export function poolSizes(workers: number): { app: number; auth: number } {
  return { app: Math.max(6, Math.floor(20 / workers)), auth: Math.max(3, Math.floor(10 / workers)) };
}

/**
 * Opens the services for an operator's account command: no queue, mail or files.
 * @param env with the owner's `databaseUrl`, already migrated, and `authSecret`
 */
export function openAccounts(env: ServingEnv): AccountServices & { close(): Promise<void> } {
  const log = openLog('silent');
  const pool = connect(env.databaseUrl, 'trasvia_app', 2, log);
  const authPool = connect(env.databaseUrl, 'trasvia_auth', 2, log);
  const auth = createAuth({
    pool: authPool,
    secret: env.authSecret,
    publicUrl: env.publicUrl,
    origins: originsOf(env.publicUrl),
    log,
    proveAddress: () => Promise.reject(new Error("An operator's command enters no account")),
  });
  return {
    env,
    pool,
    auth,
    async close() {
      await Promise.all([pool.end(), authPool.end()]);
    },
  };
}

/** Opens the database and file store only, for an operator's command about invoice files. */
export function openFileKeeping(env: Env & { databaseUrl: string }) {
  const log = openLog(env.logLevel);
  const pool = connect(env.databaseUrl, 'trasvia_app', 2, log);
  return { pool, log, files: openFileStore(env.filesUrl, env.dataDir), close: () => pool.end() };
}

/**
 * Creates the job queue of a restored database and queues its unsent messages.
 * @returns how many messages were queued
 */
export async function restoreQueue(databaseUrl: string): Promise<number> {
  const log = openLog('silent');
  await migrateJobsOf(databaseUrl, QUEUES);
  const pool = connect(databaseUrl, 'trasvia_app', 2, log);
  try {
    const jobs = await startJobs(pool, log);
    try {
      return await transaction(pool, SYSTEM, (tx) => requeueMail(tx, jobs));
    } finally {
      await jobs.stop();
    }
  } finally {
    await pool.end();
  }
}

async function migrateJobsOf(databaseUrl: string, queues: Queues): Promise<void> {
  const owner = openPool({ connectionString: databaseUrl, max: 1 });
  try {
    await migrateJobs(owner, queues);
  } finally {
    await owner.end();
  }
}

/**
 * Opens everything a serving process needs.
 * @param env with the owner's `databaseUrl`, already migrated, and `authSecret`
 * @param queues retry options of each queue; tests use shorter waits
 * @param prepare what else the start has to do before requests are answered
 * @throws when the database cannot be reached, or rejects the logins of the server's roles
 */
export async function startServices(
  env: ServingEnv,
  queues: Queues = QUEUES,
  prepare: Preparation = async () => {},
): Promise<Services> {
  const opened = new AsyncDisposableStack();
  try {
    const services = await openServices(env, queues, prepare, opened);
    return { ...services, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** @param opened receives what has to be disposed at the end, even if a later step fails */
async function openServices(
  env: ServingEnv,
  queues: Queues,
  prepare: Preparation,
  opened: AsyncDisposableStack,
): Promise<OpenServices> {
  const log = openLog(env.logLevel);
  const origins = originsOf(env.publicUrl);

  const [logins] = await Promise.all([
    ensureLogins(env.databaseUrl, env.authSecret),
    migrateJobsOf(env.databaseUrl, queues),
  ]);

  const sizes = poolSizes(env.workers);
  const keep = (kept: Pool) => opened.adopt(kept, () => kept.end());
  const pool = keep(connect(logins.trasvia_app, 'trasvia_app', sizes.app, log));
  const authPool = keep(connect(logins.trasvia_auth, 'trasvia_auth', sizes.auth, log));
  const files = openFileStore(env.filesUrl, env.dataDir);
  const transport = createTransportFor(env.mailUrl, join(env.dataDir, 'mail'), env.mailFrom);
  opened.defer(() => transport.close());
  const jobs = await startJobs(pool, log);
  opened.defer(() => jobs.stop());
  await startMailWorker(pool, jobs, transport, log);
  await jobs.work<{ path: string }>('fileRemoval', ({ path }) => files.remove(path));
  await jobs.schedule('retention', '30 3 * * *', async () => {
    await purge(pool, log);
  });
  const mail = accountMail(pool, jobs, env.publicUrl);
  const { publicUrl, authSecret: secret } = env;
  const auth = createAuth({
    pool: authPool,
    secret,
    publicUrl,
    origins,
    log,
    proveAddress: (userId) => proveAddress(pool, userId, null),
  });
  await startAccountMailWorker(pool, jobs, auth, mail);

  const services = {
    env,
    log,
    pool,
    auth,
    verifiedCookies: rememberCookies(),
    jobs,
    files,
    metrics: openMetrics({ app: pool, auth: authPool }, jobs),
    origins,
  };
  await prepare(services);
  for (const { options } of [pool, authPool]) options.connectionTimeoutMillis = CONNECT_MS;
  return services;
}
