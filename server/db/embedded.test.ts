import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { lockDataDir } from '#server/data-dir.ts';
import { complaintIn } from '#server/db/cluster.ts';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded.ts';
import { findPostmaster, stopPostmaster } from '#server/db/postmaster.ts';
import { StartError } from '#server/start-error.ts';
import { makeTestFolder } from '#server/testing/cluster.ts';
import { until } from '#server/testing/until.ts';

let dataDir: string;
let started: EmbeddedPostgres[];

beforeEach(async () => {
  const root = await makeTestFolder();
  await chmod(root, 0o711);
  dataDir = join(root, 'data');
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  // A killed application leaves its PostgreSQL running.
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => null);
  if (cluster) {
    await stopPostmaster(cluster);
    await rm(cluster, { recursive: true });
  }
  await rm(join(dataDir, '..'), { recursive: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir });
  started.push(server);
  return server;
}

async function query<Row extends Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A separate application process: it starts PostgreSQL, then prints each row once its write is acknowledged. */
const WRITER = `
  import { startEmbeddedPostgres } from '#server/db/embedded.ts';
  import { Client } from 'pg';
  const { ownerUrl } = await startEmbeddedPostgres({ dataDir: process.argv[1] });
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('create table if not exists written (n int primary key)');
  for (let n = 1; ; n++) {
    await client.query('insert into written values ($1)', [n]);
    console.log(n);
  }
`;

/** Runs {@link WRITER} until it has written 200 rows; `kill` returns the last acknowledged number. */
async function startWriter(): Promise<{ child: ChildProcess; kill: () => Promise<number> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  let acknowledged = 0;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the writer ended')));
    lines.on('line', (line) => {
      acknowledged = Number(line);
      if (acknowledged === 200) resolve();
    });
  });
  return {
    child,
    kill: async () => {
      child.kill('SIGKILL');
      await Promise.all([once(child, 'exit'), once(lines, 'close')]);
      return acknowledged;
    },
  };
}

async function runningPid(): Promise<number | undefined> {
  return (await findPostmaster(await realpath(join(dataDir, 'postgres'))))?.pid;
}

describe('a new data folder', () => {
  test('gets a durable Italian database that requires a password and keeps its data across a restart', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    const settings = await query(
      first.ownerUrl,
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding',
                      'TimeZone', 'data_checksums') order by name`,
    );
    expect(settings).toEqual([
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'TimeZone', setting: 'UTC' },
    ]);
    expect(
      await query(
        first.ownerUrl,
        `select n from unnest(array['Zara','Òrio','orso','Abete','àncora']) n order by n`,
      ),
    ).toEqual(['Abete', 'àncora', 'Òrio', 'orso', 'Zara'].map((n) => ({ n })));
    expect(await query(first.ownerUrl, `select current_setting('is_superuser') as superuser`)).toEqual([
      { superuser: 'off' },
    ]);
    const wrongPassword = new URL(first.ownerUrl);
    wrongPassword.password = 'wrong';
    await expect(query(wrongPassword.href, 'select 1')).rejects.toThrow(/password authentication failed/);

    await query(first.ownerUrl, 'create table kept (n int)');
    await first.stop();
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).sort()).toEqual([
      'lock',
      'postgres',
      'postgres-password',
      'postgres.log',
    ]);

    const second = await start();
    expect(await query(second.ownerUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
  });

  test('lets only one of several applications started at once use it', async () => {
    const attempts = await Promise.allSettled([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir })));
    const winners = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    const refusals = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));

    expect(winners).toHaveLength(1);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(StartError);
      expect(refusal.message).toBe(
        `another application is running on DATA_DIR ${dataDir}: stop it, or use another folder`,
      );
    }
    for (const { ownerUrl, stop } of winners) {
      expect(await findEmbeddedPostgres(dataDir)).toBe(ownerUrl);
      expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
      await stop();
    }
  });

  test('locked by another process is refused and left untouched', async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop();
    const log = join(dataDir, 'postgres.log');
    // PostgreSQL writes this last line after releasing the folder.
    await expect.poll(() => readFile(log, 'utf8')).toMatch(/database system is shut down\n$/);
    const before = await readFile(log);
    const other = await lockDataDir(dataDir);
    try {
      await expect(start()).rejects.toThrow(
        `another application is running on DATA_DIR ${dataDir}: stop it, or use another folder`,
      );
      expect(await readFile(log)).toEqual(before);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
    } finally {
      other.release();
    }
    await start();
  });

  test('that only root can enter gets a symbolic link to a cluster stored elsewhere', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root runs PostgreSQL as another user, who may lack access');
    await chmod(join(dataDir, '..'), 0o700);
    const lines: string[] = [];
    const first = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    await query(first.ownerUrl, 'create table kept (n int)');
    await first.stop();

    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
    const cluster = await realpath(join(dataDir, 'postgres'));
    expect(lines).toEqual([`PostgreSQL's user cannot reach ${dataDir}: the database is kept in ${cluster}`]);

    const second = await start();
    expect(await query(second.ownerUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
  });
});

describe('after a crash', () => {
  test('of an application that was creating its database, the next start removes the half, even while it still grows', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'exit');
    const half = join(dataDir, `postgres.new-${gone.pid}-x`, 'cluster');
    await mkdir(half, { recursive: true });
    // `initdb` goes on for a while after the application that ran it was killed.
    const grow = `const { writeFileSync } = require('node:fs');
      for (let n = 0; n < 3_000; n++) writeFileSync(process.argv[1] + '/' + n, '');
      console.log('growing');
      const end = Date.now() + 2_000;
      for (let n = 0; Date.now() < end; n++) writeFileSync(process.argv[1] + '/' + (n % 50), '');`;
    const growing = spawn(process.execPath, ['-e', grow, half], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(growing, 'exit');
    await once(growing.stdout, 'data');
    await start();
    await ended;
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });

  test('of the application, the next start adopts its PostgreSQL and keeps every acknowledged write', async () => {
    const writer = await startWriter();
    const orphan = await runningPid();
    const acknowledged = await writer.kill();
    expect(await runningPid()).toBe(orphan);

    const { ownerUrl } = await start();
    expect(await runningPid()).toBe(orphan);
    const [row] = await query<{ n: number }>(ownerUrl, 'select count(*)::int as n from written');
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  test('of the application and PostgreSQL, the next start recovers every acknowledged write', async () => {
    const writer = await startWriter();
    const postmaster = await runningPid();
    if (postmaster) process.kill(postmaster, 'SIGKILL');
    const acknowledged = await writer.kill();

    const { ownerUrl } = await start();
    expect(await runningPid()).not.toBe(postmaster);
    const [row] = await query<{ n: number }>(ownerUrl, 'select count(*)::int as n from written');
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  test('a stale pid file that names an unrelated process does not prevent the next start', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const left = await readFile(pidFile, 'utf8');
    await first.stop();
    // A process of the same user, so that even PostgreSQL would take it for a running server.
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['600'], { uid, gid, cwd: '/', stdio: 'ignore' });
    await once(stranger, 'spawn');
    onTestFinished(() => void stranger.kill());
    await writeFile(pidFile, left.replace(/^\d+/, String(stranger.pid)));

    const { ownerUrl } = await start();
    expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  });

  test('of PostgreSQL alone, the running application restarts it on the same port', async () => {
    const { ownerUrl } = await start();
    const first = await runningPid();
    if (first) process.kill(first, 'SIGKILL');
    await until('the application to hold the restarted server', async () => {
      const now = await runningPid();
      const locks = `select 1 from pg_locks where locktype = 'advisory' and granted`;
      return now !== undefined && now !== first && (await query(ownerUrl, locks)).length > 0;
    });
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/another application is running/);
  });

  test('of PostgreSQL, the application retries a failed restart until it succeeds', async () => {
    const told: string[] = [];
    const lost: unknown[] = [];
    const server = await startEmbeddedPostgres({
      dataDir,
      log: (line) => told.push(line),
      onLost: (error) => lost.push(error),
    });
    started.push(server);
    await query(server.ownerUrl, 'create table written (n int)');
    const [control, hidden] = ['pg_control', 'pg_control.hidden'].map((name) =>
      join(dataDir, 'postgres/global', name),
    ) as [string, string];
    await rename(control, hidden);
    process.kill((await runningPid()) ?? 0, 'SIGKILL');
    await until('a start to fail', async () => told.some((line) => line.includes('does not start')));
    await rename(hidden, control);
    await until('it to answer', () => query(server.ownerUrl, 'select n from written'));
    expect(lost).toEqual([]);
  });
});

test('an aborted start stops PostgreSQL and frees the folder for the next start', async () => {
  const giveUp = new AbortController();
  const given = startEmbeddedPostgres({ dataDir, signal: giveUp.signal });
  await until('PostgreSQL to be started', runningPid);
  giveUp.abort();
  await expect(given).rejects.toThrow(/aborted/);
  expect(await runningPid()).toBeUndefined();
  const { ownerUrl } = await start();
  expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

describe('an unusable folder is refused in one line', () => {
  test.each([
    [
      '2026-11-27 12:25:52.635 UTC [31898] FATAL:  could not write to file "pg_wal/xlogtemp.31898": No space left on device\n' +
        'child process exited with exit code 1\ninitdb: removing data directory "/data/cluster"\n',
      'could not write to file "pg_wal/xlogtemp.31898": No space left on device',
    ],
    [
      'Command failed: initdb --pgdata=/data\ninitdb: error: could not create directory "/data": Permission denied\n',
      'could not create directory "/data": Permission denied',
    ],
    ['Command failed: initdb\nSegmentation fault\n', 'Segmentation fault'],
  ])('with what PostgreSQL complained about: %j', (output, complaint) => {
    expect(complaintIn(output)).toBe(complaint);
  });

  test('when another PostgreSQL version made it or its password is missing', async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop();
    const versionFile = join(dataDir, 'postgres', 'PG_VERSION');
    const version = await readFile(versionFile);
    await writeFile(versionFile, '12\n');
    await expect(start()).rejects.toThrow(
      /^.* was created by PostgreSQL 12, but this release includes \d+: .*$/,
    );

    await writeFile(versionFile, version);
    await rm(join(dataDir, 'postgres-password'));
    await expect(start()).rejects.toThrow(/^the password in .*postgres-password is not that of .*$/);
  });

  test('when its path is a file', async () => {
    await writeFile(dataDir, '');
    await expect(start()).rejects.toThrow(/^DATA_DIR .* cannot be written to \(EEXIST\)$/);
  });
});
