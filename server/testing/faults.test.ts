/**
 * Faults under load. `npm test` runs a short form of each, `npm run test:faults` the long one, with 25 kills of the
 * application. Both print a table of faults, operations and losses.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { mailboxes } from '#provider';
import { errorCode } from '#server/data-dir.ts';
import { execFileText, findCluster } from '#server/db/cluster.ts';
import { findEmbeddedPostgres } from '#server/db/embedded.ts';
import { findPostmaster, freePort } from '#server/db/postmaster.ts';
import { readEnv } from '#server/env.ts';
import { openFileStore } from '#server/files/open-store.ts';
import { QUEUES } from '#server/jobs/boss.ts';
import { compareFiles, removeDifferences } from '#server/operations/stored-files.ts';
import { openFileKeeping } from '#server/services.ts';
import { createVisitor } from './client.ts';
import { createTestDatabase, makeTestFolder } from './cluster.ts';
import { openFactories } from './factories.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { emptyLedger, findLosses, type Ledger, startLoad, tripRequestOf } from './load.ts';
import { LONG } from './long.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { startServerProcess } from './process.ts';
import { startS3Server } from './s3-server.ts';
import { startTestServer, type TestServer } from './server.ts';
import { startSmtpServer } from './smtp-server.ts';
import { until } from './until.ts';

const KILLS = LONG ? 25 : 2;
/** Operations acknowledged between two faults. */
const BETWEEN = LONG ? 60 : 25;
const MINUTES = 60_000;
const AUTH_SECRET = 'a secret of the tests, of at least 32 characters';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');

type Row = {
  fault: string;
  times: number;
  operations: number;
  acknowledged: number;
  unanswered: number;
  lost: number;
  duplicates: number;
  'wrong totals': number;
  'wrong files': number;
  undelivered: number;
  /** Files that a fault left without a record, which files:reconcile then removed. */
  'files swept': number;
};

const table: (Row | { fault: string; 'not tried': string })[] = [];

afterAll(() => {
  console.log(`Faults, ${LONG ? 'whole' : 'short'} form`);
  console.table(table);
});

/** What the ledger is compared with. */
type World = { databaseUrl: string; dataDir: string; filesUrl?: string; mailbox?: Pick<Mailbox, 'messages'> };

function worldOf({ services: { env } }: TestServer): World {
  return { databaseUrl: env.databaseUrl ?? '', dataDir: env.dataDir };
}

/** Kills only the main process: the others end by themselves without it. */
async function killPostgres(dataDir: string): Promise<void> {
  const cluster = await findCluster(dataDir);
  const postmaster = cluster && (await findPostmaster(cluster));
  if (!postmaster) throw new Error('there is no PostgreSQL to kill');
  process.kill(postmaster.pid, 'SIGKILL');
}

/** Connection URL of the PostgreSQL in a data folder on a disk that only its own processes see mounted. */
async function postgresOn(dataDir: string): Promise<string> {
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const port = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgresql://trasvia:${password}@127.0.0.1:${port}/trasvia`;
}

/** Process id of its main process. */
async function postmasterOn(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Writes until the disk is full. */
async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    // Small blocks, so that no room for one more page of a table is left.
    const block = Buffer.alloc(65_536, 1);
    for (;;) await file.writeFile(block);
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

/** Compares the acknowledged operations with the stored state, and adds a row to the table. */
async function settle(fault: string, times: number, ledger: Ledger, world: World): Promise<void> {
  const { databaseUrl, dataDir, filesUrl = '' } = world;
  const env = readEnv({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, FILES_URL: filesUrl, AUTH_SECRET });
  const store = openFileKeeping({ ...env, databaseUrl, logLevel: 'silent' });
  const { factories, close } = openFactories(databaseUrl, mailboxes.invoiceAdminEmail);
  try {
    const losses = await findLosses(ledger, {
      make: factories,
      files: openFileStore(env.filesUrl, dataDir),
      mailbox: world.mailbox ?? openMailbox(join(dataDir, 'mail')),
    });
    const differences = await compareFiles(store, new Date(Date.now() + MINUTES));
    await removeDifferences(store, { ...differences, missing: [] }, new Date(Date.now() + MINUTES));
    const after = await compareFiles(store, new Date(Date.now() + MINUTES));
    const { operations, acknowledged, unanswered, unexpected } = ledger;
    table.push({
      fault,
      times,
      operations,
      acknowledged,
      unanswered,
      lost: losses.lost.length,
      duplicates: losses.duplicates.length,
      'wrong totals': losses.totals.length,
      'wrong files': losses.files.length + after.missing.length + after.orphans.length,
      undelivered: losses.undelivered.length,
      'files swept': differences.orphans.length,
    });
    const nothing = { lost: [], duplicates: [], totals: [], files: [], undelivered: [] };
    expect({ ...losses, unexpected }).toEqual({ ...nothing, unexpected: [] });
    expect(after).toMatchObject({ orphans: [], missing: [] });
    expect(acknowledged).toBeGreaterThan(0);
  } finally {
    await close();
    await store.close();
  }
}

/** A database and a data folder that outlive the server processes of one test. */
async function externalWorld() {
  const database = await createTestDatabase(inject('testCluster'));
  const dataDir = await makeTestFolder();
  const { factories, close } = openFactories(database.databaseUrl, mailboxes.invoiceAdminEmail);
  const variables = async (): Promise<Record<string, string>> => ({
    PORT: String(await freePort()),
    DATABASE_URL: database.databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET,
  });
  return {
    databaseUrl: database.databaseUrl,
    dataDir,
    factories,
    variables,
    async drop() {
      await close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

// Concurrent, because most of the time is spent waiting for what a killed process held.
describe.concurrent('no acknowledged write is lost and nothing is created twice', () => {
  test(
    'when the application is killed under load',
    async () => {
      const world = await externalWorld();
      const variables = await world.variables();
      let server = await startServerProcess(variables);
      const load = await startLoad([server.origin], world.factories);
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await load.progress(BETWEEN);
        await server.end('SIGKILL');
        server = await startServerProcess(variables);
      }
      await load.progress(BETWEEN);
      await settle('application killed -9', KILLS, await load.stop(), world);
      await server.end('SIGTERM');
      await world.drop();
    },
    15 * MINUTES,
  );

  test(
    'when the application is killed between accepting a request and sending its mail',
    async () => {
      const world = await externalWorld();
      const variables = await world.variables();
      const user = await world.factories.user();
      const tripRequests = new Map<string, string>();
      const kills = LONG ? 20 : 2;
      for (let kill = 1; kill <= kills; kill += 1) {
        const server = await startServerProcess(variables);
        const visitor = createVisitor(server.origin);
        await visitor.send('POST', '/api/auth/login', {
          identifier: user.email,
          password: user.password,
          remember: true,
        });
        const [key, citta] = [randomUUID(), `Città ${randomUUID()}`];
        const accepted = await visitor.request('/api/trip-requests', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body: JSON.stringify(tripRequestOf(citta, user.email)),
        });
        await server.end('SIGKILL');
        expect(accepted.status).toBe(201);
        tripRequests.set(key, citta);
      }
      const server = await startServerProcess(variables);
      const ledger = { ...emptyLedger(), operations: kills, acknowledged: kills, tripRequests };
      await settle('killed between acceptance and mail', kills, ledger, world);
      await server.end('SIGTERM');
      await world.drop();
    },
    15 * MINUTES,
  );

  test(
    'when the database is killed under load',
    async () => {
      const dataDir = await makeTestFolder();
      const server = await startServerProcess({
        PORT: String(await freePort()),
        DATA_DIR: dataDir,
        DEMO: 'off',
      });
      const databaseUrl = (await findEmbeddedPostgres(dataDir)) ?? '';
      const { factories, close } = openFactories(databaseUrl, mailboxes.invoiceAdminEmail);
      const load = await startLoad([server.origin], factories);
      const kills = LONG ? 10 : 1;
      for (let kill = 1; kill <= kills; kill += 1) {
        await load.progress(BETWEEN);
        await killPostgres(dataDir);
      }
      await load.progress(BETWEEN);
      await settle('database killed -9', kills, await load.stop(), { databaseUrl, dataDir });
      await close();
      expect(await server.end('SIGTERM')).toBe(0);
      await rm(dataDir, { recursive: true });
    },
    15 * MINUTES,
  );

  test(
    'when the disk is full',
    async ({ skip }) => {
      const fault = 'disk full (database and files)';
      const dataDir = await makeTestFolder();
      // A disk that only the process and the PostgreSQL it starts can see; it disappears when they end.
      const mount = `mount -t tmpfs -o size=400m,mode=0711 tmpfs '${dataDir}' && exec "$@"`;
      const unshare = ['--mount', '/bin/sh', '-c', mount, 'sh'];
      // Needs root on Linux, and a container that permits mounts.
      const refusal = await execFileText('/usr/bin/unshare', [...unshare, 'true']).then(
        () => null,
        (error: Error) => error.message,
      );
      if (refusal !== null) {
        await rm(dataDir, { recursive: true });
        const reason = `no small disk can be mounted: ${refusal.trim()}`;
        table.push({ fault, 'not tried': reason });
        skip(reason);
      }
      const server = await startServerProcess(
        { PORT: String(await freePort()), DATA_DIR: dataDir, DEMO: 'off' },
        { wrapper: ['/usr/bin/unshare', ...unshare] },
      );
      const disk = `/proc/${server.child.pid}/root${dataDir}`;
      const databaseUrl = await postgresOn(disk);
      const { factories, close } = openFactories(databaseUrl, mailboxes.invoiceAdminEmail);
      const load = await startLoad([server.origin], factories);
      const times = LONG ? 5 : 1;
      for (let time = 1; time <= times; time += 1) {
        await load.progress(BETWEEN);
        const { unanswered } = load.ledger;
        const before = server.written();
        await fillDisk(join(disk, 'ballast'));
        await until('a write to fail', () => load.ledger.unanswered > unanswered + 3, 60);
        // A full disk may stop PostgreSQL before this kill does, and may leave it no space to restart.
        const killed = await postmasterOn(disk).catch(() => null);
        if (killed !== null) process.kill(killed, 'SIGKILL');
        await until(
          'PostgreSQL to restart, or its restart to be retried',
          async () =>
            server.written().slice(before.length).includes('; retrying') ||
            (await postmasterOn(disk).catch(() => killed)) !== killed,
          60,
        );
        await rm(join(disk, 'ballast'));
      }
      await load.progress(BETWEEN).catch((cause: Error) => {
        throw new Error(`${cause.message}. The server said:\n${server.written().slice(-4_000)}`, { cause });
      });
      await settle(fault, times, await load.stop(), { databaseUrl, dataDir: disk });
      await close();
      expect(await server.end('SIGTERM')).toBe(0);
      await rm(dataDir, { recursive: true });
    },
    15 * MINUTES,
  );

  test(
    'when one of two processes is killed, and the other takes over',
    async () => {
      const world = await externalWorld();
      const [variables, second] = [await world.variables(), String(await freePort())];
      // One installation has one public address, whichever process answers.
      const shared = { ...variables, PUBLIC_URL: `http://127.0.0.1:${variables.PORT}` };
      const one = await startServerProcess(shared);
      const startOther = () => startServerProcess({ ...shared, PORT: second });
      let other = await startOther();
      const load = await startLoad([one.origin, other.origin], world.factories);
      const times = LONG ? 5 : 1;
      for (let time = 1; time <= times; time += 1) {
        await load.progress(BETWEEN);
        await other.end('SIGKILL');
        await load.progress(BETWEEN);
        other = await startOther();
      }
      await settle('one of two processes killed -9', times, await load.stop(), world);
      await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')]);
      await world.drop();
    },
    15 * MINUTES,
  );

  test(
    'when the clock jumps',
    async () => {
      const world = await externalWorld();
      const clock = join(import.meta.dirname, 'jumping-clock.ts');
      const server = await startServerProcess(await world.variables(), { nodeOptions: ['--import', clock] });
      const load = await startLoad([server.origin], world.factories);
      const jumps = LONG ? 20 : 5;
      for (let jump = 1; jump <= jumps; jump += 1) {
        await load.progress(BETWEEN / 5);
        server.child.kill('SIGUSR2');
      }
      await load.progress(BETWEEN);
      await settle('clock jumps by hours, both ways', jumps, await load.stop(), world);
      expect(await server.end('SIGTERM')).toBe(0);
      await world.drop();
    },
    15 * MINUTES,
  );

  test(
    'when the mail server is down, slow, or cuts connections',
    async () => {
      const taken: string[] = [];
      const smtp = await startSmtpServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onData(stream, _session, done) {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            taken.push(Buffer.concat(chunks).toString('utf8'));
            done();
          });
        },
      });
      const proxy = await startFaultyProxy(smtp.port);
      const { retryDelayMax: _, ...mail } = QUEUES.mail;
      const impatient = { ...QUEUES, mail: { ...mail, retryDelay: 1, retryBackoff: false, retryLimit: 500 } };
      const server = await startTestServer(
        inject('testCluster'),
        { MAIL_URL: `smtp://127.0.0.1:${proxy.port}` },
        impatient,
      );
      const load = await startLoad([server.origin], server.make);
      const times = LONG ? 5 : 1;
      for (let time = 1; time <= times; time += 1) {
        for (const fault of ['down', 'slow', 'reset'] as const) {
          proxy.set(fault);
          await load.progress(BETWEEN);
        }
        proxy.set('none');
        await load.progress(BETWEEN);
      }
      const ledger = await load.stop();
      const messages = () => Promise.all(taken.map((message) => PostalMime.parse(message)));
      await settle('mail server down, slow, resetting', 3 * times, ledger, {
        ...worldOf(server),
        mailbox: { messages },
      });
      await server.stop();
      await proxy.stop();
      await smtp.stop();
    },
    15 * MINUTES,
  );

  test(
    'when the file store is down, slow, or cuts connections',
    async () => {
      const s3 = await startS3Server();
      const endpoint = new URL(new URL(s3.url).searchParams.get('endpoint') ?? '');
      const proxy = await startFaultyProxy(Number(endpoint.port));
      const filesUrl = s3.url.replace(endpoint.host, `127.0.0.1:${proxy.port}`);
      const server = await startTestServer(inject('testCluster'), { FILES_URL: filesUrl });
      const load = await startLoad([server.origin], server.make);
      const times = LONG ? 5 : 1;
      for (let time = 1; time <= times; time += 1) {
        for (const fault of ['down', 'slow', 'reset'] as const) {
          proxy.set(fault);
          const { operations } = load.ledger;
          await until('requests to meet the fault', () => load.ledger.operations > operations + 15, 120);
        }
        proxy.set('none');
        await load.progress(BETWEEN);
      }
      const ledger = await load.stop();
      await settle('file store down, slow, resetting', 3 * times, ledger, { ...worldOf(server), filesUrl });
      await server.stop();
      await proxy.stop();
      await s3.stop();
    },
    15 * MINUTES,
  );
});
