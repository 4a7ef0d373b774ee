import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { passwordHashing } from './passwords.ts';

test('many passwords hashed at once do not delay other work of the threads', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 8 }, (_, index) =>
    passwordHashing.hash(`segreta-${index}`).then((hash) => {
      hashed += 1;
      return hash;
    }),
  );
  await stat(import.meta.filename);
  expect(hashed).toBeLessThan(4);
  const [first = '', ...others] = await Promise.all(hashes);
  expect(new Set(others).add(first).size).toBe(8);
  const verified = ['segreta-0', 'segreta-1'].map((password) =>
    passwordHashing.verify({ hash: first, password }),
  );
  expect(await Promise.all(verified)).toEqual([true, false]);
});
