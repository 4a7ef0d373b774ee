import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StartError } from '#server/start-error.ts';
import { runCommand } from './operator-database.ts';

describe('an operator’s command that fails', () => {
  const printed = vi.spyOn(console, 'error');
  afterEach(() => {
    printed.mockReset();
    process.exitCode = undefined;
  });

  it.each([
    [
      'names what the operator can put right',
      () => Promise.reject(new StartError('Stop it first.')),
      'Stop it first.',
    ],
    [
      'names an option there is none of',
      async () => void parseArgs({ args: ['--hlep'], options: {} }),
      expect.stringContaining("Unknown option '--hlep'"),
    ],
    [
      'names a folder it cannot use',
      async () => void (await readFile('/no/such/folder')),
      expect.stringContaining("'/no/such/folder'"),
    ],
  ])('%s, in one line', async (_, command, line) => {
    printed.mockImplementation(() => {});
    await runCommand(command);
    expect(printed.mock.calls).toEqual([[line]]);
    expect(process.exitCode).toBe(1);
  });

  it('shows anything else with its stack', async () => {
    printed.mockImplementation(() => {});
    const mistake = new TypeError('not a function');
    await runCommand(() => Promise.reject(mistake));
    expect(printed.mock.calls).toEqual([[mistake]]);
    expect(process.exitCode).toBe(1);
  });
});
