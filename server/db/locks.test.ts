import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOCKS } from '#server/db/locks.ts';

test('no two purposes share an advisory lock', () => {
  const numbers: readonly number[] = Object.values(LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('migrations take no advisory locks but the files lock and the many-invoices lock', async () => {
  const folder = join(import.meta.dirname, 'migrations');
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const taken = files.flatMap((sql) =>
    [...sql.matchAll(/pg_\w*advisory\w*\((.*?)\)/g)].map(([, key]) => key),
  );
  expect(new Set(taken)).toEqual(new Set([LOCKS.files, LOCKS.manyInvoices].map(String)));
});
