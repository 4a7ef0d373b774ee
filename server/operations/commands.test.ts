import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { describe, expect, inject } from 'vitest';
import { LOCKS } from '#server/db/locks.ts';
import { ROOT } from '#server/root.ts';
import { createEmptyDatabase } from '#server/testing/cluster.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';

/**
 * Runs an operator's command on the data folder of `server`; returns its output and exit code.
 * @param onStart is given its process
 * @param nodeOptions of its process
 */
function run(
  { services: { env } }: TestServer,
  [script, ...args]: [string, ...string[]],
  databaseUrl = env.databaseUrl ?? '',
  onStart: (child: ChildProcess) => void = () => {},
  nodeOptions: string[] = [],
): Promise<{ code: number | null; written: string }> {
  const { dataDir, authSecret } = env;
  const variables = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, AUTH_SECRET: authSecret ?? '' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, join(ROOT, 'scripts', script), ...args],
      { cwd: ROOT, env: { LOG_LEVEL: 'silent', ...variables } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, written: stdout + stderr }),
    );
    onStart(child);
  });
}

/** Stores an old file without a record. */
async function storeForgotten({ services }: TestServer): Promise<string> {
  const path = 'nobody/FAT1700000000000BBBBBBBB_fattura.pdf';
  await services.files.put(path, Readable.from([pdfOf(10)]));
  await utimes(join(services.env.dataDir, 'files', path), 0, 0);
  return path;
}

async function isStored({ services }: TestServer, path: string): Promise<boolean> {
  const file = await services.files.open(path);
  await file?.close();
  return file !== null;
}

describe('an operator’s command', () => {
  test.for<[string, ...string[]]>([
    ['files-reconcile.ts', '--remove', '--all'],
    ['account.ts', 'nuova@example.com', '--generate'],
  ])('%s refuses a database without an installation and creates none', async (command, { server }) => {
    const path = await storeForgotten(server);
    const empty = await createEmptyDatabase(inject('testCluster'));
    const line = 'the database contains no installation: set DATA_DIR or DATABASE_URL to the right one\n';
    expect(await run(server, command, empty.databaseUrl)).toEqual({ code: 1, written: line });
    const client = new Client({ connectionString: empty.databaseUrl });
    await client.connect();
    const { rows } = await client.query("select from pg_tables where schemaname = 'public'");
    await client.end();
    await empty.drop();
    expect(rows).toEqual([]);
    expect(await isStored(server, path)).toBe(true);
  });

  test('backup.ts refuses a path with an unquoted space and writes nothing', async ({ server }) => {
    const folder = join(server.services.env.dataDir, 'my');
    const usage = 'npm run backup [-- <folder>]: quote a path with spaces\n';
    expect(await run(server, ['backup.ts', folder, 'disk'])).toEqual({ code: 1, written: usage });
    expect(existsSync(folder)).toBe(false);
  });

  test('backup.ts leaves nothing behind when it is interrupted', async ({ server }) => {
    const { databaseUrl, dataDir } = server.services.env;
    const target = join(dataDir, 'interrupted');
    const client = new Client({ connectionString: databaseUrl ?? '' });
    await client.connect();
    // The backup waits for this in the middle of its work.
    await client.query('select pg_advisory_lock($1)', [LOCKS.files]);
    const { promise: started, resolve } = Promise.withResolvers<ChildProcess>();
    const ended = run(server, ['backup.ts', target], undefined, resolve);
    await until('the backup', () => existsSync(join(`${target}.partial`, 'database')));
    (await started).kill('SIGINT');
    expect(await ended).toEqual({ code: 130, written: '' });
    await client.end();
    expect([target, `${target}.partial`].filter(existsSync)).toEqual([]);
  });

  test('restore.ts shows how far it is from the first file of the backup that it checks', async ({
    server,
  }) => {
    const folder = join(server.services.env.dataDir, 'damaged');
    expect(await run(server, ['backup.ts', folder])).toMatchObject({ code: 0 });
    const table = join(folder, 'database/profiles.copy.gz');
    await appendFile(table, 'x');
    const onTerminal = ['--import', 'data:text/javascript,process.stderr.isTTY = true'];
    const { code, written } = await run(server, ['restore.ts', folder], undefined, undefined, onTerminal);
    expect(code).toBe(1);
    expect(written).toContain('checking the backup (0 of ');
    expect(written).toContain(`${table} is damaged: use another backup\n`);
  });

  test.for<[[string, ...string[]], RegExp]>([
    [['doctor.ts', '--repair'], /^Unknown option '--repair'.*\n$/],
    [['licences.ts', 'production'], /^Unexpected argument 'production'.*\n$/],
    [['files-reconcile.ts', '--all'], /^npm run files:reconcile \[-- --remove \[--all\]\]\n$/],
  ])('%s is refused in one line', async ([command, line], { server }) => {
    expect(await run(server, command)).toEqual({ code: 1, written: expect.stringMatching(line) });
  });

  test('account.ts says in one line that the disk of the database is full', async ({ server }) => {
    const client = new Client({ connectionString: server.services.env.databaseUrl ?? '' });
    await client.connect();
    await client.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on audit_events execute function refuse()`);
    const made = await run(server, ['account.ts', 'nuova@example.com', '--generate']);
    await client.query('drop function refuse() cascade');
    await client.end();
    const line = 'the disk of the database is full: free space, then repeat this\n';
    expect(made).toEqual({ code: 1, written: line });
  });

  test('account.ts changes nothing when its question is answered with Ctrl-D', async ({ server }) => {
    const { email } = await server.make.user();
    const onTerminal = ['--import', 'data:text/javascript,process.stdin.isTTY = true'];
    const answer = (child: ChildProcess) => child.stdin?.end('\u0004');
    const ended = await run(server, ['account.ts', email], undefined, answer, onTerminal);
    const written = 'Password: \nno password was given: nothing is changed\n';
    expect(ended).toEqual({ code: 1, written });
  });

  test('files-reconcile.ts removes files only with --all if no record has its file', async ({ server }) => {
    const path = await storeForgotten(server);
    const refused = await run(server, ['files-reconcile.ts', '--remove']);
    expect(refused).toEqual({ code: 1, written: expect.stringContaining('no record has its file') });
    expect(await isStored(server, path)).toBe(true);
    const removed = await run(server, ['files-reconcile.ts', '--remove', '--all']);
    expect(removed).toEqual({ code: 0, written: expect.stringContaining('removed: 1 files, 0 references') });
    expect(await isStored(server, path)).toBe(false);
  });
});
