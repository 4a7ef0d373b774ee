import { findCluster } from '#server/db/cluster.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded.ts';
import { connectOwner, migrate, requireInstallation } from '#server/db/migrate.ts';
import type { Env } from '#server/env.ts';
import { StartError } from '#server/start-error.ts';

/** Whether the message suffices without a stack, as for an unknown option or a folder that cannot be written. */
function isPlain(error: unknown): error is Error {
  return (
    error instanceof StartError ||
    (error instanceof Error &&
      'code' in error &&
      ('path' in error || /^ERR_PARSE_ARGS/.test(`${error.code}`)))
  );
}

/** Runs an operator's command: prints a failure that the operator can put right as one line, any other with its stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode = 1;
    console.error(isPlain(error) ? error.message : error);
  }
}

/**
 * For an operator's command: the migrated database of the application, beside it or, when the embedded one is stopped,
 * started for as long as `work` lasts.
 * @throws StartError when there is none, or nothing of the product in it: nothing is made
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
 * The same, not migrated: a look at a database, or a copy of it before an upgrade, must leave it alone.
 * @throws StartError when `DATA_DIR` holds no database: nothing is made
 */
export async function withDatabaseAsItIs(
  env: Env,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (env.databaseUrl === null && (await findCluster(env.dataDir)) === null) {
    throw new StartError(
      `there is no database in DATA_DIR ${env.dataDir}: let DATA_DIR or DATABASE_URL name the installation`,
    );
  }
  const running = env.databaseUrl ?? (await findEmbeddedPostgres(env.dataDir));
  if (running) await work(running);
  else await withDatabaseAlone(env, work);
}

/**
 * As `withDatabaseAsItIs`, with no application beside it. Where `DATA_DIR` holds no database yet, it is made.
 * @throws StartError when one runs on the embedded database
 */
export async function withDatabaseAlone(
  env: Env,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (env.databaseUrl) {
    await work(env.databaseUrl);
    return;
  }
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir });
  try {
    await work(postgres.ownerUrl);
  } finally {
    await postgres.stop();
  }
}
