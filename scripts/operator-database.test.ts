import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseError } from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { findEmbeddedPostgres } from '#server/db/embedded.ts';
import { readEnv } from '#server/env.ts';
import { ROOT } from '#server/root.ts';
import { StartError } from '#server/start-error.ts';
import { makeTestFolder } from '#server/testing/cluster.ts';
import { runCommand, withDatabaseAsItIs } from './operator-database.ts';

describe('an operator’s command that fails', () => {
  const printed = vi.spyOn(console, 'error');
  afterEach(() => {
    printed.mockReset();
    process.exitCode = undefined;
  });
  afterAll(() => printed.mockRestore());

  it.each([
    [
      'names what the operator can fix',
      () => Promise.reject(new StartError('Stop it first.')),
      'Stop it first.',
    ],
    [
      'names an unknown option',
      async () => void parseArgs({ args: ['--hlep'], options: {} }),
      expect.stringContaining("Unknown option '--hlep'"),
    ],
    [
      'names a missing folder',
      async () => void (await readFile('/no/such/folder')),
      expect.stringContaining("'/no/such/folder'"),
    ],
    [
      'names a full disk',
      async () => {
        const details = { errno: -28, code: 'ENOSPC', syscall: 'write' };
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), details);
      },
      'ENOSPC: no space left on device, write',
    ],
    [
      'names a full disk of the database',
      async () => {
        const refusal = new DatabaseError(
          'could not extend file "base/1/2": No space left on device',
          0,
          'error',
        );
        throw new Error('Failed query', { cause: Object.assign(refusal, { code: '53100' }) });
      },
      'the disk of the database is full: free space, then repeat this',
    ],
  ])('%s, in one line', async (_, command, line) => {
    printed.mockImplementation(() => {});
    await runCommand(command);
    expect(printed.mock.calls).toEqual([[line]]);
    expect(process.exitCode).toBe(1);
  });

  it('shows any other error with its stack', async () => {
    printed.mockImplementation(() => {});
    const mistake = new TypeError('not a function');
    await runCommand(() => Promise.reject(mistake));
    expect(printed.mock.calls).toEqual([[mistake]]);
    expect(process.exitCode).toBe(1);
  });
});

it('a command for an existing installation creates none in the wrong folder', async () => {
  const folder = await makeTestFolder();
  const work = vi.fn();
  try {
    for (const dataDir of [folder, join(folder, 'none')]) {
      await expect(withDatabaseAsItIs(readEnv({ DATA_DIR: dataDir }), work)).rejects.toThrow(
        new StartError(
          `there is no database in DATA_DIR ${dataDir}: set DATA_DIR or DATABASE_URL to the installation`,
        ),
      );
    }
    expect(work).not.toHaveBeenCalled();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** A command that waits for an answer of the PostgreSQL that it starts in the folder of its argument. */
const WAITING = `
  import { connectOwner } from '#server/db/migrate.ts';
  import { runCommand, withDatabaseAlone } from './scripts/operator-database.ts';
  await runCommand(() =>
    withDatabaseAlone({ databaseUrl: null, dataDir: process.argv[1] }, async (databaseUrl) => {
      const [, busy] = [await connectOwner(databaseUrl), await connectOwner(databaseUrl)];
      console.log('waiting');
      await busy.query('select pg_sleep(600)');
    }),
  );`;

it.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a command with code %i, and the PostgreSQL that it has started',
  async ([signal, code]) => {
    const folder = await makeTestFolder();
    try {
      const ended = new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          ['--input-type=module', '--eval', WAITING, folder],
          { cwd: ROOT },
          (_error, stdout, stderr) => resolve({ code: child.exitCode, written: stdout + stderr }),
        );
        child.stdout?.once('data', () => child.kill(signal));
      });
      expect(await ended).toEqual({ code, written: 'waiting\n' });
      expect(await findEmbeddedPostgres(folder)).toBeNull();
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
