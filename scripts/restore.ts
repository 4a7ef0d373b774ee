/**
 * `npm run restore -- <folder> [--replace]`: restores a backup into this installation, which must be stopped. Without
 * `--replace` it must also be empty.
 */
import { parseArgs } from 'node:util';
import { prepareDataDir, replaceSecret } from '#server/data-dir.ts';
import { readEnv } from '#server/env.ts';
import { openFileStore } from '#server/files/open-store.ts';
import { secretOf, verifyBackup } from '#server/operations/backup-content.ts';
import { progressBar } from '#server/operations/progress.ts';
import { restore } from '#server/operations/restore.ts';
import { StartError } from '#server/start-error.ts';
import { runCommand, withDatabaseAlone } from './operator-database.ts';

await runCommand(async () => {
  const { positionals, values: options } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [source] = positionals;
  if (!source || positionals.length > 1) throw new StartError('npm run restore -- <folder> [--replace]');
  const onProgress = progressBar();
  const manifest = await verifyBackup(source, onProgress);
  const env = readEnv(process.env);
  const authSecret = env.authSecret ?? (await secretOf(source, manifest));
  await prepareDataDir(env.dataDir);
  await withDatabaseAlone(env, async (databaseUrl) => {
    const files = openFileStore(env.filesUrl, env.dataDir);
    const { queuedMail } = await restore({ databaseUrl, files, authSecret }, source, manifest, {
      ...options,
      onProgress,
      keepSecret: async () => {
        if (env.authSecret === null) await replaceSecret(env.dataDir, 'auth-secret', authSecret);
      },
    });
    console.log(
      `Restored as of ${manifest.takenAt}: ${manifest.files.length} files, ${queuedMail} messages to send`,
    );
  });
});
