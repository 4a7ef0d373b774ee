/**
 * Two processes of the product behind a proxy, on one PostgreSQL and one S3 store: they behave as one, and are replaced
 * one after the other without a failed request. `DATABASE_URL=… npm run test:scale-out` runs it on another PostgreSQL.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { invoiceSchema } from '#contract/invoices.ts';
import { mailboxes } from '#provider';
import { freePort } from '#server/db/postmaster.ts';
import { openFileStore } from '#server/files/open-store.ts';
import { createVisitor, signIn, type Visitor } from './client.ts';
import { createTestDatabase, makeTestFolder } from './cluster.ts';
import { openFactories, type TestUser } from './factories.ts';
import { invoiceForm, pdfFile } from './invoice-form.ts';
import { findLosses, startLoad, tripRequestOf } from './load.ts';
import { LONG } from './long.ts';
import { openMailbox } from './mailbox.ts';
import { pdfOf } from './pdf.ts';
import { type ServerProcess, startServerProcess } from './process.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');

const REPLACEMENTS = LONG ? 20 : 2;
/** Acknowledged requests before and after each replacement. */
const BETWEEN = LONG ? 200 : 20;

/** A round-robin balancer over `targets`. */
async function startBalancer() {
  const targets: string[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const target = targets[turn % targets.length] ?? '';
    const passed = forward(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, targets, server };
}

let world: Awaited<ReturnType<typeof open>>;

async function open() {
  const database = await createTestDatabase(inject('testCluster'));
  const dataDir = await makeTestFolder();
  const s3: S3Server = await startS3Server();
  const balancer = await startBalancer();
  const { factories, close } = openFactories(database.databaseUrl, mailboxes.invoiceAdminEmail);
  const shared = {
    PUBLIC_URL: balancer.origin,
    DATABASE_URL: database.databaseUrl,
    DATA_DIR: dataDir,
    FILES_URL: s3.url,
    AUTH_SECRET: 'a secret of the tests, of at least 32 characters',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    RATE_LIMITS: 'on',
  };
  const started: ServerProcess[] = [];
  const start = async (variables = {}) => {
    const process = await startServerProcess({ ...shared, ...variables, PORT: String(await freePort()) });
    started.push(process);
    return process;
  };
  return { database, dataDir, s3, balancer, factories, close, start, started };
}

beforeAll(async () => {
  world = await open();
});

afterAll(async () => {
  const { balancer, s3, close, database, dataDir, started } = world;
  // A failed test leaves processes running.
  await Promise.all(started.map((process) => process.end('SIGTERM')));
  balancer.server.closeAllConnections();
  balancer.server.close();
  await s3.stop();
  await close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Signs in at one process; the visitor can then call another. The public address is the balancer's. */
const signedIn = ({ origin }: ServerProcess, user: TestUser): Promise<Visitor> =>
  signIn(createVisitor(world.balancer.origin), user, { remember: true, at: origin });

describe('two processes', () => {
  test('share sessions, rate limits, files and jobs', async () => {
    const { factories, balancer, dataDir } = world;
    const [one, two] = await Promise.all([world.start(), world.start()]);
    const customer = await factories.user();
    const project = await factories.project(customer);
    const visitor = await signedIn(one, customer);
    expect((await visitor.request(`${two.origin}/api/me`)).status).toBe(200);

    const office = await signedIn(two, await factories.invoiceAdmin());
    const created = await office.request(`${two.origin}/api/admin/invoices`, {
      method: 'POST',
      body: invoiceForm({ userId: customer.id, projectId: project.id, file: pdfFile(pdfOf(6_000_000)) }),
    });
    const { number } = invoiceSchema.parse(await created.json());
    const file = await visitor.request(`${one.origin}/api/invoices/${number}/file`);
    expect((await file.arrayBuffer()).byteLength).toBe(6_000_000);

    // Ten guesses at one account, counted across processes.
    const guess = async (process: ServerProcess) =>
      (
        await createVisitor(balancer.origin).request(`${process.origin}/api/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            identifier: 'indovina@example.com',
            password: 'sbagliata',
            remember: false,
          }),
        })
      ).status;
    const statuses = [];
    for (let round = 0; round < 6; round += 1) statuses.push(await guess(one), await guess(two));
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);

    for (const [index, process] of [one, two, one, two].entries()) {
      const sent = await visitor.request(`${process.origin}/api/trip-requests`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(tripRequestOf(`Bari ${index}.`, customer.email)),
      });
      expect(sent.status).toBe(201);
    }
    const mailbox = openMailbox(join(dataDir, 'mail'));
    for (const index of [0, 1, 2, 3]) await mailbox.received(`Nuova Richiesta Trasferta - Bari ${index}.`);
    const { rows } = await factories.sql(
      'select count(*)::int as twice from mail_messages where attempts > 1',
    );
    expect(rows).toEqual([{ twice: 0 }]);

    const out = await visitor.request(`${one.origin}/api/auth/logout`, { method: 'POST' });
    expect(out.status).toBe(204);
    expect((await visitor.request(`${two.origin}/api/me`)).status).toBe(401);
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')]);
  });

  test('are replaced one after the other under load without a failed request', async () => {
    const { factories, balancer, s3, dataDir } = world;
    const off = { RATE_LIMITS: 'off' };
    const running = await Promise.all([world.start(off), world.start(off)]);
    balancer.targets.push(...running.map(({ origin }) => origin));
    const load = await startLoad([balancer.origin], factories);
    await load.progress(BETWEEN);
    for (let replaced = 0; replaced < REPLACEMENTS; replaced++) {
      const replacement = await world.start(off);
      running.push(replacement);
      const old = running.shift();
      balancer.targets.splice(balancer.targets.indexOf(old?.origin ?? ''), 1, replacement.origin);
      expect(await old?.end('SIGTERM')).toBe(0);
      await load.progress(BETWEEN);
    }
    const ledger = await load.stop();
    const losses = await findLosses(ledger, {
      make: factories,
      files: openFileStore(s3.url, dataDir),
      mailbox: openMailbox(join(dataDir, 'mail')),
    });
    const { rows } = await factories.sql<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    console.log(
      `${REPLACEMENTS} replacements of two processes on PostgreSQL ${rows[0]?.version} and S3: ${ledger.operations} requests, ${ledger.unanswered} failed`,
    );
    expect(ledger.unanswered).toBe(0);
    expect({ ...losses, unexpected: ledger.unexpected }).toEqual({
      lost: [],
      duplicates: [],
      totals: [],
      files: [],
      undelivered: [],
      unexpected: [],
    });
    await Promise.all(running.map((process) => process.end('SIGTERM')));
    // For the long form on a slow machine.
  }, 900_000);
});
