/**
 * `npm run backup [-- <folder>]`: copies the database and files of one instant into a new folder, by default
 * `backups/<instant>`, while the application serves.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnv, resolveAuthSecret } from '#server/env.ts';
import { openFileStore } from '#server/files/open-store.ts';
import { backUp } from '#server/operations/backup.ts';
import { progressBar } from '#server/operations/progress.ts';
import { StartError } from '#server/start-error.ts';
import { runCommand, withDatabaseAsItIs } from './operator-database.ts';

await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length > 1) throw new StartError('npm run backup [-- <folder>]: quote a path with spaces');
  const env = readEnv(process.env);
  const instant = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const target = resolve(positionals[0] ?? `backups/${instant}Z`);
  await withDatabaseAsItIs(env, async (databaseUrl) => {
    const files = openFileStore(env.filesUrl, env.dataDir);
    const authSecret = env.authSecret ?? (await resolveAuthSecret(env.dataDir));
    const { tables, files: copies } = await backUp({ databaseUrl, files, authSecret }, target, progressBar());
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`${rows} rows of ${tables.length} tables and ${copies.length} files: ${target}`);
  });
});
