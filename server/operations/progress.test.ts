import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ROOT } from '#server/root.ts';
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

test('a bar of a command that is interrupted stays on a line of its own', async () => {
  const interrupted = (...done: number[]) => `
    import { progressBar } from '#server/operations/progress.ts';
    const bar = progressBar({ isTTY: true, write: (text) => process.stdout.write(text) });
    for (const done of ${JSON.stringify(done)}) bar('copying', done, 4);
    process.exit(130);`;
  const written = (code: string) =>
    new Promise<string>((resolve) => {
      const args = ['--input-type=module', '--eval', code];
      execFile(process.execPath, args, { cwd: ROOT }, (_error, stdout) => resolve(stdout));
    });
  expect(await written(interrupted(0, 1))).toMatch(/copying \(1 of 4\)\n$/);
  const cleared = (await written(interrupted(0, 1, 4))).endsWith('\r\u001b[K');
  expect(cleared).toBe(true);
});
