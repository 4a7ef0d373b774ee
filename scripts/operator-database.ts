import { constants } from 'node:os';
import { findCluster } from '#server/db/cluster.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded.ts';
import { connectOwner, migrate, requireInstallation } from '#server/db/migrate.ts';
import type { Env } from '#server/env.ts';
import { type EndingSignal, listenToSignals } from '#server/process.ts';
import { adviceFor, StartError } from '#server/start-error.ts';

/** Whether the message is enough without a stack, as for an unknown option, an unwritable folder or a full disk. */
function isPlain(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    ('syscall' in error || /^ERR_PARSE_ARGS/.test(`${error.code}`))
  );
}

const interruption = new AbortController();

/** Aborted when the command is interrupted: by Ctrl-C or another signal that ends a process. */
export const interrupted: AbortSignal = interruption.signal;

/** The use of a PostgreSQL that was started for the command. */
let started: Promise<void> = Promise.resolve();

/** Awaits `work`, but no longer than until the command is interrupted. */
function unlessInterrupted(work: Promise<void>): Promise<void> {
  const end = new Promise<never>((_, reject) => {
    interrupted.addEventListener('abort', () => reject(interrupted.reason));
  });
  return Promise.race([work, end]);
}

const exitCodeOf = (signal: EndingSignal) => 128 + constants.signals[signal];

/**
 * Runs an operator's command: prints a failure that the operator can fix as one line, any other with its stack. An
 * interrupted one ends with the exit code of the signal once a PostgreSQL that was started for it has stopped.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  let code = 1;
  const stopListening = listenToSignals((signal) => {
    code = exitCodeOf(signal);
    interruption.abort();
  }, exitCodeOf);
  try {
    await unlessInterrupted(command());
  } catch (error) {
    if (interrupted.aborted) {
      await started.catch(() => {});
      process.exit(code);
    }
    process.exitCode = code;
    console.error(adviceFor(error) ?? (isPlain(error) ? error.message : error));
  } finally {
    stopListening();
  }
}

/**
 * Runs `work` on the migrated database of the application. A stopped embedded one is started meanwhile.
 * @throws StartError if there is no database, or no installation in it; nothing is created
 */
export async function withDatabase(env: Env, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  await withDatabaseAsItIs(env, async (databaseUrl) => {
    const owner = await connectOwner(databaseUrl);
    await requireInstallation(owner).finally(() => owner.end());
    await migrate(databaseUrl);
    await work(databaseUrl);
  });
}

/**
 * The same without migrating, for checks, and for copies before an upgrade.
 * @throws StartError if `DATA_DIR` contains no database; nothing is created
 */
export async function withDatabaseAsItIs(
  env: Env,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (env.databaseUrl === null && (await findCluster(env.dataDir)) === null) {
    throw new StartError(
      `there is no database in DATA_DIR ${env.dataDir}: set DATA_DIR or DATABASE_URL to the installation`,
    );
  }
  const running = env.databaseUrl ?? (await findEmbeddedPostgres(env.dataDir));
  if (running) await work(running);
  else await withDatabaseAlone(env, work);
}

/**
 * Like `withDatabaseAsItIs`, but without a running application. If `DATA_DIR` contains no database, it is created.
 * @throws StartError if an application runs on the embedded database
 */
export async function withDatabaseAlone(
  env: Env,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (env.databaseUrl) {
    await work(env.databaseUrl);
    return;
  }
  started = withStarted(env.dataDir, work);
  await started;
}

async function withStarted(dataDir: string, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, signal: interrupted });
  try {
    await unlessInterrupted(work(postgres.ownerUrl));
  } finally {
    await postgres.stop();
  }
}
