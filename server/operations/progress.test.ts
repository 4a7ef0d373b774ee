import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { inParts, type OnProgress, progressBar } from './progress.ts';

/** What `use` of a bar writes to a terminal, or to a log. */
async function written(isTTY: boolean, use: (bar: OnProgress) => void): Promise<string> {
  const terminal = Object.assign(new PassThrough(), { isTTY });
  use(progressBar(terminal));
  terminal.end();
  return text(terminal);
}

test('each part is done in turn, and told before it begins', async () => {
  const seen: unknown[] = [];
  await inParts(
    'copying',
    ['a', 'b'],
    (...told) => seen.push(told),
    async (part) => void seen.push(part),
  );
  expect(seen).toEqual([['copying', 0, 2], 'a', ['copying', 1, 2], 'b', ['copying', 2, 2]]);
});

test('after a failure nothing is left of the bar, and it is passed on', async () => {
  const told: number[] = [];
  const work = inParts(
    'copying',
    ['a', 'b'],
    (_, done) => told.push(done),
    async () => {
      throw new Error('the disk is full');
    },
  );
  await expect(work).rejects.toThrow('the disk is full');
  expect(told).toEqual([0, 2]);
});

test('a bar is shown on a terminal only, and disappears when all is done', async () => {
  const copy = (bar: OnProgress) => {
    bar('copying', 1, 4);
    bar('copying', 4, 4);
  };
  expect(await written(false, copy)).toBe('');
  const [shown = '', left = ''] = (await written(true, copy)).split('\r\u001b[K').slice(1);
  expect(shown).toMatch(/^\[#{5}\.{15}\] +\d\.\d s {2}copying \(1 of 4\)$/);
  expect(left).toBe('');
});
