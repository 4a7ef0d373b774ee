import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { ensureLogins, loginName } from '#server/db/logins.ts';
import { migrate } from '#server/db/migrate.ts';
import { freePort } from '#server/db/postmaster.ts';
import { SERVER_ROLES } from '#server/db/roles.ts';
import { StartError } from '#server/start-error.ts';
import { createEmptyDatabase, makeTestFolder, type TestDatabase } from '#server/testing/cluster.ts';

/** An empty database and a new folder of migrations for each test. */
let database: TestDatabase;
let url: string;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase(inject('testCluster'));
  url = database.databaseUrl;
  folder = await makeTestFolder();
  await file('0001_one.sql', 'create table one (n int);');
  await file('0002_two.sql', 'insert into one values (1); create table two (n int);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function file(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, name), sql);
}

async function query<Row extends Record<string, unknown>>(target: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: target });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('an up-to-date database', () => {
  test('has each migration applied once, in order', async () => {
    expect(await migrate(url, { folder })).toEqual(['0001_one', '0002_two']);
    expect(await migrate(url, { folder })).toEqual([]);
    await file('0003_three.sql', 'insert into one values (3);');
    expect(await migrate(url, { folder })).toEqual(['0003_three']);

    expect(await query(url, 'select n from one order by n')).toEqual([{ n: 1 }, { n: 3 }]);
    expect(await query(url, 'select name from schema_migrations order by applied_at')).toEqual([
      { name: '0001_one' },
      { name: '0002_two' },
      { name: '0003_three' },
    ]);
  });

  test('results from four processes starting at once', async () => {
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { folder })));
    expect(applied.flat().sort()).toEqual(['0001_one', '0002_two']);
    expect(await query(url, 'select n from one')).toEqual([{ n: 1 }]);
  });

  test('accepts a file whose line endings changed', async () => {
    await file('0001_one.sql', 'create table one (\n  n int\n);\n');
    await migrate(url, { folder });
    await file('0001_one.sql', 'create table one (\r\n  n int\r\n);\r\n');
    expect(await migrate(url, { folder })).toEqual([]);
  });
});

test('a failed migration is rolled back and the earlier ones stay applied', async () => {
  await file('0003_three.sql', 'create table three (n int); insert into missing values (1);');
  await expect(migrate(url, { folder })).rejects.toThrow('migration 0003_three failed and was rolled back');
  expect(
    await query(url, `select to_regclass('two') is not null as two, to_regclass('three') as three`),
  ).toEqual([{ two: true, three: null }]);

  await file('0003_three.sql', 'create table three (n int);');
  expect(await migrate(url, { folder })).toEqual(['0003_three']);
});

test('a second installation with another owner is told which grant it needs, and migrates after it', async () => {
  const { ownerUrl } = inject('testCluster');
  const [server] = await query<{ version: number }>(
    ownerUrl,
    "select current_setting('server_version_num')::int as version",
  );
  // Before PostgreSQL 16, CREATEROLE lets a role grant any other without ADMIN OPTION.
  const isHeldBack = Number(server?.version) >= 16_00_00;
  const second = 'trasvia_test_second_owner';
  const name = new URL(url).pathname.slice(1);
  const theirs = Object.assign(new URL(url), { username: second, password: 'hunter2' }).href;
  await query(ownerUrl, `create role ${second} login createrole password 'hunter2'`);
  try {
    await query(ownerUrl, `grant ${second} to current_user; alter database ${name} owner to ${second}`);
    if (isHeldBack) {
      const attempt = migrate(theirs);
      await expect(attempt).rejects.toThrow(StartError);
      await expect(attempt).rejects.toThrow(
        `the roles belong to another installation: as its owner, run GRANT trasvia_app, trasvia_auth TO ${second} WITH ADMIN OPTION`,
      );
      await query(ownerUrl, `grant trasvia_app, trasvia_auth to ${second} with admin option`);
    }
    expect(await migrate(theirs)).toContain('0001_foundation');
    await ensureLogins(theirs, 'a secret of the tests, of at least 32 characters');
  } finally {
    for (const role of SERVER_ROLES) await query(theirs, `drop role if exists ${loginName(role, name)}`);
    await query(ownerUrl, `alter database ${name} owner to current_user`);
    await query(url, `reassign owned by ${second} to current_user`);
    await query(url, `drop owned by ${second} cascade`);
    await query(ownerUrl, `drop role ${second}`);
  }
});

describe('a database that cannot hold an installation is refused in one line', () => {
  async function refusal(target: string): Promise<string> {
    const error = await migrate(target, { folder }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    return error instanceof Error ? error.message : '';
  }

  test('when the role does not own it', async () => {
    const { ownerUrl } = inject('testCluster');
    const stranger = 'trasvia_test_stranger';
    const theirs = Object.assign(new URL(url), { username: stranger, password: 'hunter2' }).href;
    await query(ownerUrl, `create role ${stranger} login createrole password 'hunter2'`);
    try {
      await query(ownerUrl, `grant ${SERVER_ROLES.join(', ')} to ${stranger} with admin option`);
      expect(await refusal(theirs)).toBe(
        `the role ${stranger} must own the database and be allowed to create roles (permission denied for schema public)`,
      );
    } finally {
      await query(ownerUrl, `drop role ${stranger}`);
    }
  });

  test('when it accepts no writes', async () => {
    const name = new URL(url).pathname.slice(1);
    await query(url, `alter database ${name} set default_transaction_read_only = on`);
    expect(await refusal(url)).toMatch(/^the database is read-only: /);
  });

  test('when it is not in UTF-8', async () => {
    const { ownerUrl } = inject('testCluster');
    const name = `${new URL(url).pathname.slice(1)}_ascii`;
    await query(
      ownerUrl,
      `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C' locale_provider libc`,
    );
    try {
      const ascii = Object.assign(new URL(url), { pathname: `/${name}` }).href;
      expect(await refusal(ascii)).toMatch(/^the database has the encoding SQL_ASCII: /);
    } finally {
      await query(ownerUrl, `drop database ${name}`);
    }
  });
});

describe('a migration file that does not match the database is refused in one line', () => {
  beforeEach(async () => {
    await migrate(url, { folder });
  });

  test.each([
    [
      'when its content changed',
      /^migration 0001_one was changed after it was applied: .*$/,
      () => file('0001_one.sql', 'select 1;'),
    ],
    [
      'when it is missing',
      /^migration 0002_two was applied .* but is not among the files: .*$/,
      () => rm(join(folder, '0002_two.sql')),
    ],
    [
      'when it precedes an applied one',
      /^migration 0000_zero comes before 0001_one, .*$/,
      () => file('0000_zero.sql', 'select 1;'),
    ],
    [
      'when another has the same number',
      /^migration 0002_(second|two)\.sql: another file .*$/,
      () => file('0002_second.sql', 'select 1;'),
    ],
    [
      'when its name is malformed',
      /^migration 3_three\.sql: a name must look like .*$/,
      () => file('3_three.sql', 'select 1;'),
    ],
  ])('%s', async (_what, message, change) => {
    await change();
    const attempt = migrate(url, { folder });
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(message);
  });
});

describe('an unreachable database is reported in one line', () => {
  test('when nothing listens there', async () => {
    const port = await freePort();
    await expect(migrate(`postgresql://owner:hunter2@127.0.0.1:${port}/x`, { folder })).rejects.toThrow(
      `cannot reach the database at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port})`,
    );
  });

  test('when the certificate of its authority cannot be read', async () => {
    const certificate = join(folder, 'missing.pem');
    const attempt = migrate(
      `postgresql://owner:hunter2@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=${certificate}`,
      { folder },
    );
    await expect(attempt).rejects.toThrow(
      new StartError(
        `DATABASE_URL cannot be used (ENOENT: no such file or directory, open '${certificate}')`,
      ),
    );
  });

  test('when something else listens there', async () => {
    const stranger = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    try {
      const port = await new Promise<number>((resolve) => {
        stranger.once('listening', () => {
          const address = stranger.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      });
      await expect(migrate(`postgresql://owner:hunter2@127.0.0.1:${port}/x`, { folder })).rejects.toThrow(
        /^cannot reach the database at 127\.0\.0\.1:\d+ \([^\n]+\)$/,
      );
    } finally {
      stranger.close();
    }
  });

  test.each([
    ['when the password is wrong', { password: 'wrong' }, /password authentication failed/],
    ['when the database does not exist', { pathname: '/missing' }, /database "missing" does not exist/],
  ])('%s', async (_what, change, reason) => {
    const wrong = Object.assign(new URL(url), change);
    const attempt = migrate(wrong.href, { folder });
    await expect(attempt).rejects.toThrow(StartError);
    await expect(attempt).rejects.toThrow(reason);
  });
});
