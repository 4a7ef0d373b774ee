/**
 * `npm run files:reconcile [-- --remove [--all]]`: lists stored files without a record and invoices without their stored
 * file. `--remove` removes both; if no record has its file, only together with `--all`. It also works while the application
 * runs.
 */
import { parseArgs } from 'node:util';
import { readEnv } from '#server/env.ts';
import { compareFiles, GRACE_MS, removeDifferences } from '#server/operations/stored-files.ts';
import { openFileKeeping } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';
import { runCommand, withDatabase } from './operator-database.ts';

await runCommand(async () => {
  const flag = { type: 'boolean', default: false } as const;
  const { values: options } = parseArgs({ options: { remove: flag, all: flag } });
  if (options.all && !options.remove) throw new StartError('npm run files:reconcile [-- --remove [--all]]');
  const env = readEnv(process.env);
  await withDatabase(env, async (databaseUrl) => {
    const store = openFileKeeping({ ...env, databaseUrl });
    try {
      const before = new Date(Date.now() - GRACE_MS);
      const differences = await compareFiles(store, before);
      for (const path of differences.orphans) console.log(`file without a record: ${path}`);
      for (const { number, path } of differences.missing)
        console.log(`invoice ${number} without its file: ${path}`);
      const count = differences.orphans.length + differences.missing.length;
      // The database or the store probably belongs to another installation.
      if (options.remove && count > 0 && differences.agreeing === 0 && !options.all) {
        throw new StartError(
          'no record has its file: check that DATABASE_URL, FILES_URL and DATA_DIR belong to one installation; add --all to remove anyway',
        );
      }
      if (options.remove) {
        const done = await removeDifferences(store, differences, before);
        console.log(
          `removed: ${done.files} files, ${done.references} references, ${done.partial} partial writes`,
        );
      } else {
        console.log(count === 0 ? 'files and records agree' : 'nothing was changed; add --remove to do so');
      }
    } finally {
      await store.close();
    }
  });
});
