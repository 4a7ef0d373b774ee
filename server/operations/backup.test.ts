import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { invoiceSchema } from '#contract/invoices.ts';
import { PICTURE_PATH } from '#contract/profile.ts';
import { LOCKS } from '#server/db/locks.ts';
import { connectOwner, migrate } from '#server/db/migrate.ts';
import { readEnv } from '#server/env.ts';
import { pictureFile } from '#server/features/profile/commands.ts';
import { openFileStore } from '#server/files/open-store.ts';
import { StartError } from '#server/start-error.ts';
import { createEmptyDatabase, createTestDatabase, makeTestFolder } from '#server/testing/cluster.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { totalMismatches } from '#server/testing/invoice-facts.ts';
import { invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { type S3Server, startS3Server } from '#server/testing/s3-server.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { until } from '#server/testing/until.ts';
import { backUp, type Installation } from './backup.ts';
import { secretOf, verifyBackup } from './backup-content.ts';
import { examine } from './doctor.ts';
import { restore } from './restore.ts';

const run = promisify(execFile);

/** A PDF that contains its own name, so that a mix-up of an invoice's file name and bytes shows. */
function named(name: string): File {
  return pdfFile(new TextEncoder().encode(`%PDF-1.7\n${name}\n`.padEnd(20_000, ' ')), name);
}

let folder: string;
let s3: S3Server;

beforeAll(async () => {
  folder = await makeTestFolder();
  s3 = await startS3Server();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
  await rm(folder, { recursive: true });
});

/** Records profiles with a picture each, whose files are to be stored at `pictureFile(name)`. */
async function recordPictures(databaseUrl: string, ...names: string[]): Promise<void> {
  const client = await connectOwner(databaseUrl);
  await client.query(
    `insert into profiles (id, email, username, profile_picture)
     select name, name || '@example.com', name, $2 || name from unnest($1::text[]) as name`,
    [names, PICTURE_PATH],
  );
  await client.end();
}

/** Restores a backup as the command does: what it contains is verified first. */
async function restoreFrom(
  installation: Installation,
  source: string,
  options: Parameters<typeof restore>[3],
): Promise<{ queuedMail: number }> {
  return restore(installation, source, await verifyBackup(source), options);
}

function installationOf({ services }: TestServer): Installation {
  const { databaseUrl, authSecret } = services.env;
  if (databaseUrl === null || authSecret === null) throw new Error('a test server has both');
  return { databaseUrl, authSecret, files: services.files };
}

/** Creates, replaces and deletes invoices with their files until told to stop. */
async function keepWriting(
  server: TestServer,
  customer: TestUser,
  progress: { written: number },
  signal: AbortSignal,
): Promise<void> {
  const office = await server.as(await server.make.invoiceAdmin());
  const project = await server.make.project(customer);
  while (!signal.aborted) {
    progress.written += 1;
    const { written } = progress;
    const body = invoiceForm({
      userId: customer.id,
      projectId: project.id,
      file: named(`creata ${written}.pdf`),
    });
    const created = await office.request('/api/admin/invoices', { method: 'POST', body });
    const { number } = invoiceSchema.parse(await created.json());
    const replacement = new FormData();
    replacement.append('file', named(`sostituita ${written}.pdf`));
    const path = `/api/admin/invoices/${number}`;
    const replaced = await office.request(`${path}/file`, { method: 'PUT', body: replacement });
    expect([created.status, replaced.status]).toEqual([201, 200]);
    if (written % 3 === 0) await office.request(path, { method: 'DELETE' });
    if (written % 4 === 0) await office.request(`${path}/file`, { method: 'DELETE' });
  }
}

describe('a backup taken during writes', () => {
  test.each(['folder', 'S3'])(
    'restores the state of one instant after everything is lost: files in %s',
    async (store) => {
      const cluster = inject('testCluster');
      const variables = { FILES_URL: store === 'S3' ? s3.url : '' };
      const server = await startTestServer(cluster, variables);
      const customer = await server.make.user();
      await server.make.invoice(customer, await server.make.project(customer));
      const { id: waiting } = await server.make.undeliveredMail({ state: 'queued' });

      const stop = new AbortController();
      const progress = { written: 0 };
      const writing = [1, 2].map(() => keepWriting(server, customer, progress, stop.signal));
      const target = join(folder, store);
      await until('the writing to begin', () => progress.written > 5);
      const manifest = await backUp(installationOf(server), target);
      const { written } = progress;
      await until('the writing to continue', () => progress.written > written + 5);
      stop.abort();
      await Promise.all(writing);
      expect((await stat(target)).mode & 0o077).toBe(0);
      // Stopping drops the database and the files.
      const { authSecret } = installationOf(server);
      await server.stop();

      const database = await createTestDatabase(cluster);
      const files = openFileStore(null, join(folder, `${store}-restored`));
      const installation = { databaseUrl: database.databaseUrl, files, authSecret };
      const { queuedMail } = await restoreFrom(installation, target, { replace: false });
      expect(queuedMail).toBe(1);
      const restored = await startTestServer(cluster, {
        DATABASE_URL: database.databaseUrl,
        DATA_DIR: join(folder, `${store}-restored`),
      });
      expect((await restored.as(customer)).cookies()).not.toBe('');
      expect(await totalMismatches(restored)).toEqual([]);
      // A pending list would slow down every search.
      const { rows: lists } = await restored.make.sql(
        "select gin_clean_pending_list('invoices_search')::int as pages",
      );
      expect(lists).toEqual([{ pages: 0 }]);
      const { rows: invoices } = await restored.make.sql<{ file_name: string; file_url: string }>(
        'select file_name, file_url from invoices where file_url is not null',
      );
      for (const { file_name, file_url } of invoices) {
        const file = await files.open(file_url);
        expect(file && (await text(file.read())).split('\n')[1]).toBe(file_name);
      }
      expect(invoices.length).toBeGreaterThan(0);
      const counts = await Promise.all(
        manifest.tables.map(async ({ name }) => {
          const { rows } = await restored.make.sql(`select count(*)::int as rows from "${name}"`);
          return { name, rows: rows[0]?.rows };
        }),
      );
      // The login above added a session and its record.
      const quiet = ({ name }: { name: string }) =>
        !['sessions', 'audit_events', 'mail_messages'].includes(name);
      expect(counts.filter(quiet)).toEqual(
        manifest.tables.filter(quiet).map(({ name, rows }) => ({ name, rows })),
      );
      const message = await restored.make.sql('select message_id from mail_messages where id = $1', [
        waiting,
      ]);
      await restored.mailbox.received('Nuova Richiesta Trasferta');
      expect(message.rowCount).toBe(1);
      await restored.stop();
      await database.drop();
    },
  );
});

test('a restore interrupted after its rows were committed is neither served nor copied until it is repeated', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const { databaseUrl } = database;
  const files = openFileStore(null, join(folder, 'interrupted-files'));
  const installation = { databaseUrl, files, authSecret: 'a secret of the tests, of at least 32 characters' };
  const source = join(folder, 'interrupted');
  await backUp(installation, source);
  const keepSecret = () => Promise.reject(new Error('killed here'));
  await expect(restoreFrom(installation, source, { replace: true, keepSecret })).rejects.toThrow(
    'killed here',
  );

  const refusal = new StartError('a restore of this database was interrupted: repeat it with --replace');
  await expect(migrate(databaseUrl)).rejects.toThrow(refusal);
  await expect(backUp(installation, join(folder, 'of-interrupted'))).rejects.toThrow(refusal);
  const env = readEnv({ DATABASE_URL: databaseUrl, AUTH_SECRET: installation.authSecret, DATA_DIR: folder });
  const found = await examine(env, databaseUrl);
  expect(found.find(({ subject }) => subject === 'migrations')).toMatchObject({
    state: 'error',
    advice: 'repeat it with --replace',
  });

  await restoreFrom(installation, source, { replace: true });
  expect(await migrate(databaseUrl)).toEqual([]);
  await database.drop();
});

test('a restore that fails before its rows are in place has replaced no file', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const files = openFileStore(null, join(folder, 'unreplaced-files'));
  const put = (name: string, content: string) =>
    files.put(pictureFile(name), Readable.from([Buffer.from(content)]));
  const contentOf = async (name: string) => {
    const file = await files.open(pictureFile(name));
    return file && text(file.read());
  };
  const installation = { databaseUrl: database.databaseUrl, authSecret: '', files };
  const source = join(folder, 'unreplaced');
  await recordPictures(database.databaseUrl, '1', '2');
  await put('1', 'of the backup');
  await put('2', 'of the backup');
  await backUp(installation, source);
  // Changed by hand: the product never uses a path twice.
  await put('1', 'newer');
  await files.remove(pictureFile('2'));
  await put('3', 'newer');
  const full = {
    ...files,
    put: (path: string, ...rest: [Readable]) =>
      path === pictureFile('2') ? Promise.reject(new Error('the disk is full')) : files.put(path, ...rest),
  };
  await expect(restoreFrom({ ...installation, files: full }, source, { replace: true })).rejects.toThrow(
    'the disk is full',
  );
  expect([await contentOf('1'), await contentOf('3')]).toEqual(['newer', 'newer']);

  await restoreFrom(installation, source, { replace: true });
  expect([await contentOf('1'), await contentOf('2'), await contentOf('3')]).toEqual([
    'of the backup',
    'of the backup',
    null,
  ]);
  await database.drop();
});

test('a restore leaves alone what extensions keep in the schema', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const installation = {
    databaseUrl: database.databaseUrl,
    authSecret: '',
    files: openFileStore(null, join(folder, 'extended-files')),
  };
  const owner = await connectOwner(database.databaseUrl);
  // An extension with types of rows, to which a view is added, as of pg_stat_statements, and a table, as of PostGIS.
  await owner.query(`create extension tablefunc;
    create view figures as select 1 as figure; create table places (id serial); insert into places default values;
    alter extension tablefunc add view figures; alter extension tablefunc add table places;
    alter extension tablefunc add sequence places_id_seq`);
  const source = join(folder, 'extended');
  const { tables, sequences } = await backUp(installation, source);
  const names = [...tables, ...sequences].map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('places'))).toEqual([]);

  await restoreFrom(installation, source, { replace: true });
  expect((await owner.query('select id from places')).rows).toEqual([{ id: 1 }]);
  await owner.end();
  await database.drop();
});

/** The oids of an installation's tables: a restore replaces them. */
async function tablesNow(databaseUrl: string) {
  const client = await connectOwner(databaseUrl);
  const found = await client.query(
    "select relname, oid from pg_class where relnamespace = 'public'::regnamespace order by relname",
  );
  await client.end();
  return found;
}

test('a backup refuses an existing target folder before copying anything', async () => {
  const target = join(folder, 'existing');
  await mkdir(target);
  await writeFile(join(target, 'notes.txt'), '');
  const nowhere = {
    databaseUrl: 'postgresql://nobody@192.0.2.1/x',
    authSecret: '',
    files: openFileStore(null, folder),
  };
  await expect(backUp(nowhere, target)).rejects.toThrow(
    new StartError(`${target} already exists: name a new folder`),
  );
});

test('while writers of files wait, a backup reads only the files recorded since it began', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const { databaseUrl } = database;
  const owner = await connectOwner(databaseUrl);
  const files = openFileStore(null, join(folder, 'meanwhile-files'));
  await recordPictures(databaseUrl, 'one', 'other');
  for (const name of ['one', 'other', 'of nobody']) {
    await files.put(pictureFile(name), Readable.from(['its bytes']));
  }
  const opened: string[] = [];
  const whileLocked: string[] = [];
  const note = async (access: string) => {
    const { rows } = await owner.query('select pg_try_advisory_xact_lock_shared($1) as free', [LOCKS.files]);
    if (!rows[0].free) whileLocked.push(access);
  };
  const watched = {
    ...files,
    async *list() {
      await note('list');
      yield* files.list();
    },
    async open(path: string) {
      await note(path);
      opened.push(path);
      if (opened.length === 2) {
        // The first one is copied now.
        await owner.query(`delete from profiles where 'pictures/' || id || '.webp' = $1`, [opened[0]]);
        await recordPictures(databaseUrl, 'later');
        await files.put(pictureFile('later'), Readable.from(['its bytes']));
      }
      return files.open(path);
    },
  };
  const target = join(folder, 'meanwhile');
  const manifest = await backUp({ databaseUrl, authSecret: '', files: watched }, target);
  expect(whileLocked).toEqual([pictureFile('later')]);
  expect(manifest.files.map(({ path }) => path)).toEqual([opened[1], pictureFile('later')]);
  expect((await readdir(join(target, 'files', 'pictures'))).length).toBe(2);
  await owner.end();
  await database.drop();
});

test('a second backup into the same folder is refused and leaves the first one complete', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const { databaseUrl } = database;
  const files = openFileStore(null, join(folder, 'twice-files'));
  await recordPictures(databaseUrl, 'one', 'other');
  for (const name of ['one', 'other']) await files.put(pictureFile(name), Readable.from(['its bytes']));
  const target = join(folder, 'twice');
  const installation = { databaseUrl, authSecret: '', files };
  let second: unknown;
  let opened = 0;
  const meanwhile = {
    ...files,
    async open(path: string) {
      opened += 1;
      // The other file is copied now.
      if (opened === 2) second = await backUp(installation, target).catch((error: unknown) => error);
      return files.open(path);
    },
  };
  const manifest = await backUp({ ...installation, files: meanwhile }, target);
  expect(second).toEqual(new StartError(`another backup into ${target} is running`));
  expect(await verifyBackup(target)).toEqual(manifest);
  expect(manifest.files).toHaveLength(2);
  await database.drop();
});

test('a backup ends where the system has no place for its folder', async () => {
  const database = await createTestDatabase(inject('testCluster'));
  const files = openFileStore(null, join(folder, 'placeless'));
  const installation = { databaseUrl: database.databaseUrl, authSecret: '', files };
  await expect(backUp(installation, '/proc/trasvia-backup')).rejects.toThrow("mkdir '/proc");
  await database.drop();
});

test('a backup refuses a database without an installation and creates no folder', async () => {
  const database = await createEmptyDatabase(inject('testCluster'));
  const files = openFileStore(null, join(folder, 'empty'));
  const installation = { databaseUrl: database.databaseUrl, authSecret: '', files };
  await expect(backUp(installation, join(folder, 'of-nothing'))).rejects.toThrow(
    new StartError('the database contains no installation: set DATA_DIR or DATABASE_URL to the right one'),
  );
  expect((await readdir(folder)).filter((name) => name.startsWith('of-nothing'))).toEqual([]);
  await database.drop();
});

describe('a restore refuses', () => {
  test.for([
    ['{ "format": 1, ', ''],
    ['{ "format": 2 }', ' (at format)'],
  ] as const)('an unreadable manifest: %s', async ([manifest, place]) => {
    const source = await makeTestFolder();
    await writeFile(join(source, 'manifest.json'), manifest);
    const nowhere = {
      databaseUrl: 'postgresql://nobody@192.0.2.1/x',
      authSecret: '',
      files: openFileStore(null, folder),
    };
    await expect(restoreFrom(nowhere, source, { replace: true })).rejects.toThrow(
      new StartError(`the manifest.json of ${source} is damaged or from a later release${place}`),
    );
    await rm(source, { recursive: true });
  });

  test('a backup in which a named pipe takes the place of a file, without waiting for its writer', async () => {
    const database = await createTestDatabase(inject('testCluster'));
    const files = openFileStore(null, join(folder, 'piped-files'));
    await recordPictures(database.databaseUrl, 'one');
    await files.put(pictureFile('one'), Readable.from(['its bytes']));
    const source = join(folder, 'piped');
    const authSecret = 'a secret of the tests, of at least 32 characters';
    const manifest = await backUp({ databaseUrl: database.databaseUrl, authSecret, files }, source);
    const replaced = async (path: string) => {
      await rename(join(source, path), join(source, 'kept'));
      await run('mkfifo', [join(source, path)]);
      return () => rename(join(source, 'kept'), join(source, path));
    };
    for (const path of [`files/${pictureFile('one')}`, 'database/profiles.copy.gz']) {
      const putBack = await replaced(path);
      await expect(verifyBackup(source)).rejects.toThrow(
        new StartError(`${join(source, path)} is missing or cannot be read: use another backup`),
      );
      await putBack();
    }
    const putSecretBack = await replaced('auth-secret');
    await expect(secretOf(source, manifest)).rejects.toThrow('auth-secret is missing or damaged');
    await putSecretBack();
    const putManifestBack = await replaced('manifest.json');
    await expect(verifyBackup(source)).rejects.toThrow('is not a complete backup');
    await putManifestBack();
    expect(await verifyBackup(source)).toEqual(manifest);
    await database.drop();
  });

  test('a manifest that was changed, in one line and without changing anything', async () => {
    const cluster = inject('testCluster');
    const database = await createTestDatabase(cluster);
    const files = openFileStore(null, join(folder, 'edited-files'));
    const authSecret = 'a secret of the tests, of at least 32 characters';
    const installation = { databaseUrl: database.databaseUrl, authSecret, files };
    const source = join(folder, 'edited');
    const manifest = await backUp(installation, source);
    const { tables, sequences, migrations } = manifest;
    const [table, ...others] = tables;
    const [sequence] = sequences;
    if (!table || !sequence) throw new Error('every installation has both');

    const unknown = { ...table, name: 'nonsense' };
    await cp(
      join(source, 'database', `${table.name}.copy.gz`),
      join(source, 'database', `${unknown.name}.copy.gz`),
    );
    const damaged = `the manifest.json of ${source} is damaged or from a later release`;
    const otherSchema = `the manifest.json of ${source} does not fit the migrations it names`;
    const edits: [Record<string, unknown>, string][] = [
      [{ tables: undefined }, `${damaged} (at tables)`],
      [{ takenAt: 5 }, `${damaged} (at takenAt)`],
      [{ tables: [...others, { ...table, rows: -1 }] }, `${damaged} (at tables.${others.length}.rows)`],
      [{ tables: [{ ...table, rows: '1' }, ...others] }, `${damaged} (at tables.0.rows)`],
      [{ tables: [{ ...table, name: 'a"; b' }, ...others] }, `${damaged} (at tables.0.name)`],
      [{ sequences: [{ ...sequence, value: 'one' }] }, `${damaged} (at sequences.0.value)`],
      [{ tables: [...tables, unknown] }, `${otherSchema} (at tables: nonsense)`],
      [{ tables: others }, `${otherSchema} (at tables: ${table.name})`],
      [{ tables: [...tables, table] }, `${otherSchema} (at tables: ${table.name})`],
      [
        { tables: [{ ...table, columns: [...table.columns, 'nonsense'] }, ...others] },
        `${otherSchema} (at tables: ${table.name})`,
      ],
      [
        { sequences: [...sequences, { ...sequence, name: 'nonsense' }] },
        `${otherSchema} (at sequences: nonsense)`,
      ],
      [{ sequences: sequences.slice(1) }, `${otherSchema} (at sequences: ${sequence.name})`],
      [{ migrations: [] }, `${otherSchema} (at tables: ${table.name})`],
      [{ migrations: migrations.slice(1) }, 'does not match this release'],
      [
        { tables: tables.map((each) => (each === table ? { ...each, rows: each.rows + 1 } : each)) },
        `${join(source, 'database', `${table.name}.copy.gz`)} has ${table.rows} rows instead of ${table.rows + 1}`,
      ],
    ];
    for (const path of ['../outside', '/etc/passwd', 'a/../../outside', '.partial/left', 'one/./two', '']) {
      edits.push([{ files: [{ path, size: 0, sha256: table.sha256 }] }, `${damaged} (at files.0.path)`]);
    }
    const { rows: before } = await tablesNow(database.databaseUrl);
    for (const [edit, line] of edits) {
      await writeFile(join(source, 'manifest.json'), JSON.stringify({ ...manifest, ...edit }));
      const refusal = await restoreFrom(installation, source, { replace: true }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(StartError);
      expect(refusal).toMatchObject({ message: expect.stringContaining(line) });
    }
    const { rows: after } = await tablesNow(database.databaseUrl);
    expect(after).toEqual(before);

    // The order of tables is not a matter of the manifest.
    await writeFile(
      join(source, 'manifest.json'),
      JSON.stringify({ ...manifest, tables: tables.toReversed() }),
    );
    await restoreFrom(installation, source, { replace: true });
    await database.drop();
  });

  test('a target with records or files, a damaged backup, another secret, and a running application', async () => {
    const cluster = inject('testCluster');
    const source = await createTestDatabase(cluster);
    const server = await startTestServer(cluster, {
      DATABASE_URL: `${source.databaseUrl}?application_name=any`,
    });
    await server.make.user();
    const target = join(folder, 'refused');
    const installation = installationOf(server);
    const manifest = await backUp(installation, target);
    await expect(restoreFrom(installation, target, { replace: true })).rejects.toThrow(
      'stop all its processes first',
    );

    const database = await createTestDatabase(cluster);
    const files = openFileStore(null, join(folder, 'refused-target'));
    const other = { ...installation, databaseUrl: database.databaseUrl, files };
    await files.put('somebody/else.pdf', Readable.from(['its bytes']));
    await expect(restoreFrom(other, target, { replace: false })).rejects.toThrow('contains files');
    const kept = await files.open('somebody/else.pdf');
    await kept?.close();
    expect(kept?.size).toBe('its bytes'.length);
    await files.remove('somebody/else.pdf');
    await restoreFrom(other, target, { replace: false });
    await expect(restoreFrom(other, target, { replace: false })).rejects.toThrow('contains records');
    await restoreFrom(other, target, { replace: true });
    await expect(
      restoreFrom({ ...other, authSecret: 'another secret, of at least 32 characters' }, target, {
        replace: true,
      }),
    ).rejects.toThrow('AUTH_SECRET is not that of the backup');
    await appendFile(join(target, 'database/profiles.copy.gz'), 'x');
    await expect(restoreFrom(other, target, { replace: true })).rejects.toThrow('is damaged');
    expect(await secretOf(target, manifest)).toBe(installation.authSecret);
    await writeFile(join(target, 'auth-secret'), 'half a secr');
    await expect(secretOf(target, manifest)).rejects.toThrow('auth-secret is missing or damaged');
    await rm(join(target, 'auth-secret'));
    await expect(secretOf(target, manifest)).rejects.toThrow('auth-secret is missing or damaged');
    expect(await readdir(folder)).not.toContain('refused.partial');
    await server.stop();
    await source.drop();
    await database.drop();
  });
});
