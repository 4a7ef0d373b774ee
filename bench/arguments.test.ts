import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readArguments, requireNumber } from './arguments.ts';

it('bench:api refuses an unknown route and lists the known ones', () => {
  const program = join(import.meta.dirname, 'api.ts');
  const { status, stderr } = spawnSync(process.execPath, [program, '--routes', 'nonesuch'], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^there is no route "nonesuch": name some of .*"users, by e-mail"/m);
  expect(status).toBe(1);
});

it.each([
  ['an unknown option', () => readArguments({ args: ['--nonesuch'] }), "Unknown option '--nonesuch'"],
  ['an invalid number', () => requireNumber('seconds', 'long'), '--seconds is a number, not "long"'],
])('%s ends a measurement with one line', (_, read, line) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with code ${code}`);
  });
  try {
    expect(read).toThrow('ended with code 1');
    expect(printed.mock.calls).toEqual([[expect.stringContaining(line)]]);
  } finally {
    printed.mockRestore();
    exit.mockRestore();
  }
});
