import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { fromDrizzle, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '#server/db/scope.ts';

const SCHEMA = 'pgboss';

/** A queue and how long its jobs are retried. The name is the key under which features send. */
export const QUEUES = {
  /** About four days of attempts: 10 s, 20 s, 40 s … at most an hour apart. */
  mail: {
    retryLimit: 100,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3600,
    retentionSeconds: 14 * 86_400,
  },
} as const;

/** Name of a queue. */
export type QueueName = keyof typeof QUEUES;

/** What a queue does with the data of one job; `last` tells that no attempt follows this one. */
export type JobHandler<Data> = (data: Data, attempt: { last: boolean }) => Promise<void>;

/** The job queue: pg-boss on the product's own database. */
export type Jobs = {
  /** Queues a job in the transaction `tx`: it exists if and only if that commits. */
  send(tx: Database, queue: QueueName, data: object): Promise<void>;
  /** Runs `handler` for each job of `queue`; a throw means another attempt later. */
  work<Data>(queue: QueueName, handler: JobHandler<Data>): Promise<void>;
  /** Whether the queue answers. */
  ready(): Promise<boolean>;
  /** Finishes running jobs (at most 10 s), hands back the rest, closes the connections. */
  stop(): Promise<void>;
};

/**
 * Installs or migrates the queue's own tables as the owner, and grants their use to the application's role. Safe to run
 * from several processes at once (pg-boss takes an advisory lock).
 */
export async function migrateJobs(owner: Pool): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values) },
    schema: SCHEMA,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  for (const [name, options] of Object.entries(QUEUES)) await boss.createQueue(name, options);
  await boss.stop({ graceful: false });
  await owner.query(`
    GRANT USAGE ON SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${SCHEMA} TO trasvia_app;
  `);
}

/** Starts the queue on `pool`, which connects as trasvia_app. */
export async function startJobs(pool: Pool, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    reindex: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job queue'));
  await boss.start();
  return {
    async send(tx, queue, data) {
      await boss.send(queue, data, { db: fromDrizzle(tx, sql) });
    },
    async work<Data>(queue: QueueName, handler: JobHandler<Data>) {
      const options = { pollingIntervalSeconds: 1, batchSize: 1, includeMetadata: true } as const;
      await boss.work(queue, options, async (jobs: JobWithMetadata<Data>[]) => {
        for (const job of jobs) await handler(job.data, { last: job.retryCount >= job.retryLimit });
      });
    },
    async ready() {
      return (await boss.schemaVersion()) !== null;
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}
