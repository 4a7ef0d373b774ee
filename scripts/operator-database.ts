import { findEmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import type { Env } from '#server/env.ts';

/**
 * For an operator's command: the migrated database of the application, beside it or, when the embedded one is stopped,
 * started for as long as `work` lasts.
 */
export async function withDatabase(env: Env, work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const running = env.databaseUrl ?? (await findEmbeddedPostgres(env.dataDir));
  if (running) {
    await migrate(running);
    await work(running);
    return;
  }
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir });
  try {
    await migrate(postgres.ownerUrl);
    await work(postgres.ownerUrl);
  } finally {
    await postgres.stop();
  }
}
