import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { type Clock, fromDrizzle, type JobWithMetadata, PgBoss, type QueueOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { errorCode } from '#server/data-dir.ts';
import { databaseFailure } from '#server/db/failure.ts';
import { LOCKS } from '#server/db/locks.ts';
import type { Database } from '#server/db/scope.ts';

const SCHEMA = 'pgboss';
const YEAR_SECONDS = 365 * 86_400;

/** Concurrent jobs per queue and process; the mail transport opens as many connections. */
export const CONCURRENCY = 5;

type Queue = QueueOptions & { deadLetter?: string };

/** About four days of attempts: after 10 s, 20 s, 40 s … up to an hour apart. */
const PERSISTENT = {
  retryLimit: 100,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 3600,
  // Waiting jobs older than this are deleted, so it is longer than any outage.
  retentionSeconds: YEAR_SECONDS,
  // A job whose process was killed is retried as soon as its heartbeat is missed.
  heartbeatSeconds: 10,
} as const;

/**
 * Every queue with its retry options. Features send jobs by the queue's name. A dead-letter queue must come before the
 * queue that refers to it, because it has to exist first.
 */
export const QUEUES = {
  /** Jobs of 'mail' that will not be retried, whether they failed or their process died during the last attempt. */
  undelivered: { retryLimit: 1000, retryDelay: 60, retentionSeconds: YEAR_SECONDS },
  mail: { ...PERSISTENT, deadLetter: 'undelivered' },
  /** Links and codes for accounts, which are useless an hour later. */
  accountMail: {
    retryLimit: 10,
    retryDelay: 5,
    retryBackoff: true,
    retentionSeconds: 3600,
    // A job contains the address it wrote to, so a completed one is deleted within the hour as well.
    deleteAfterSeconds: 3600,
    heartbeatSeconds: 10,
  },
  /** Removes stored files that no record refers to any more. */
  fileRemoval: PERSISTENT,
  /** Deletes expired records, once a night whatever the number of processes, and at each start. */
  retention: { retryLimit: 3, retryDelay: 600, retentionSeconds: 86_400 },
} as const satisfies Record<string, Queue>;

/** Name of a queue. */
export type QueueName = keyof typeof QUEUES;

/** Options of every queue. */
export type Queues = Readonly<Record<QueueName, Queue>>;

/** How often missed heartbeats are checked. */
const SUPERVISION_SECONDS = 10;

/** Processes the data of one job. */
export type JobHandler<Data> = (data: Data) => Promise<void>;

/** The job queue: pg-boss on the product's own database. */
export type Jobs = {
  /** Queues a job in the transaction `tx`: the job exists if and only if `tx` commits. */
  send(tx: Database, queue: QueueName, data: object): Promise<void>;
  /** Runs `handler` for each job of `queue`; an exception means another attempt later. */
  work<Data>(queue: QueueName, handler: JobHandler<Data>): Promise<void>;
  /** Runs `handler` for a job of `queue` at each time of the cron expression `times` (Europe/Rome). */
  schedule(queue: QueueName, times: string, handler: () => Promise<void>): Promise<void>;
  /** Whether the queue responds. */
  ready(): Promise<boolean>;
  /** Numbers of waiting, deferred, running and failed jobs per queue, counted at most ten seconds ago. */
  depth(): Promise<{ queue: string; ready: number; deferred: number; active: number; failed: number }[]>;
  /** Finishes running jobs (at most 10 s), returns the others to the queue and closes the connections. */
  stop(): Promise<void>;
};

/**
 * Installs or migrates the queue's own tables as the owner, and grants their use to the application's role. Safe to run
 * from several processes at once (pg-boss takes an advisory lock).
 *
 * @param queues options of each queue, `QUEUES` except in tests, which use shorter waits
 */
export async function migrateJobs(owner: Pool, queues: Queues = QUEUES): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values) },
    schema: SCHEMA,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, options);
    // A queue created by an earlier release gets the options of this one.
    await boss.updateQueue(name, options);
  }
  await boss.stop({ graceful: false });
  // Serialised by a lock: PostgreSQL fails when two sessions change the privileges of one object concurrently.
  await owner.query(`
    SELECT pg_advisory_xact_lock(${LOCKS.grants});
    GRANT USAGE ON SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${SCHEMA} TO trasvia_app;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${SCHEMA} TO trasvia_app;
  `);
}

/**
 * A clock that starts at the database's time and advances with this process's monotonic clock. The system clock may be
 * changed while a worker waits: set back by an hour, it would delay the next job by an hour.
 */
async function steadyClock(pool: Pool): Promise<Clock> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const start = (rows[0]?.now.getTime() ?? Date.now()) - performance.now();
  return {
    now: () => start + performance.now(),
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (timer) => clearTimeout(Number(timer)),
    setInterval: (work, ms) => setInterval(work, ms),
    clearInterval: (timer) => clearInterval(Number(timer)),
  };
}

/**
 * What is stored about a failure with its job, and with the copy in a dead-letter queue. The message is left out,
 * because a failed query's message contains its parameters and erasing a person's data does not reach jobs.
 */
function reasonOf(error: unknown): { name: string; code: string } {
  return {
    name: error instanceof Error ? error.name : 'unknown',
    code: databaseFailure(error)?.code ?? errorCode(error),
  };
}

/** Runs `handler` for each job of a batch; one that fails does not fail the others. */
function handlingEach<Data>(queue: QueueName, handler: JobHandler<Data>, log: Logger) {
  return (batch: JobWithMetadata<Data>[]) =>
    Promise.all(
      batch.map(async (job) => {
        try {
          await handler(job.data);
          return { id: job.id, status: 'completed' } as const;
        } catch (error) {
          const reason = reasonOf(error);
          log.warn({ queue, job: job.id, attempt: job.retryCount + 1, reason }, 'job failed');
          return { id: job.id, status: 'failed', output: reason } as const;
        }
      }),
    );
}

/** Starts the queue on `pool`, which connects as trasvia_app. */
export async function startJobs(pool: Pool, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    clock: await steadyClock(pool),
    migrate: false,
    createSchema: false,
    reindex: false,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job queue'));
  await boss.start();
  const jobs: Jobs = {
    async send(tx, queue, data) {
      const id = await boss.send(queue, data, { db: fromDrizzle(tx, sql) });
      if (id === null) throw new Error(`the queue ${queue} refused a job`);
    },
    async work<Data>(queue: QueueName, handler: JobHandler<Data>) {
      const options = {
        pollingIntervalSeconds: 1,
        batchSize: CONCURRENCY,
        burstWhenBatchFull: true,
        includeMetadata: true,
        perJobResults: true,
      } as const;
      await boss.work(queue, options, handlingEach(queue, handler, log));
    },
    async schedule(queue, times, handler) {
      await boss.schedule(queue, times, null, { tz: 'Europe/Rome' });
      await jobs.work(queue, handler);
    },
    async ready() {
      return (await boss.schemaVersion()) !== null;
    },
    async depth() {
      const queues = await boss.getQueues();
      return queues.map(({ name, readyCount, deferredCount, activeCount, failedCount }) => ({
        queue: name,
        ready: readyCount,
        deferred: deferredCount,
        active: activeCount,
        failed: failedCount,
      }));
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
  return jobs;
}
