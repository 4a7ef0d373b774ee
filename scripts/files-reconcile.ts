/**
 * `npm run files:reconcile [-- --remove]`: lists stored files without a record and invoices without their stored file,
 * and with `--remove` takes both out of the way. It works beside a running application.
 */
import { parseArgs } from 'node:util';
import { migrate } from '#server/db/migrate.ts';
import { readEnv } from '#server/env.ts';
import { compareFiles, GRACE_MS, removeDifferences } from '#server/features/admin-invoices/commands.ts';
import { openFileKeeping } from '#server/services.ts';
import { runCommand, withDatabaseAsItIs } from './operator-database.ts';

await runCommand(async () => {
  const { values: options } = parseArgs({ options: { remove: { type: 'boolean', default: false } } });
  const env = readEnv(process.env);
  await withDatabaseAsItIs(env, async (databaseUrl) => {
    await migrate(databaseUrl);
    const store = openFileKeeping({ ...env, databaseUrl });
    try {
      const before = new Date(Date.now() - GRACE_MS);
      const differences = await compareFiles(store, before);
      for (const path of differences.orphans) console.log(`file without a record: ${path}`);
      for (const { number, path } of differences.missing)
        console.log(`invoice ${number} without its file: ${path}`);
      if (options.remove) {
        const done = await removeDifferences(store, differences, before);
        console.log(
          `removed: ${done.files} files, ${done.references} references, ${done.partial} broken-off writes`,
        );
      } else {
        const count = differences.orphans.length + differences.missing.length;
        console.log(count === 0 ? 'files and records agree' : 'nothing was changed; add --remove to do so');
      }
    } finally {
      await store.close();
    }
  });
});
