import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkStructure, trackedFiles } from './check-structure.ts';

const readme = `Start it with \`npm start\`, then read [the code](server/app.ts) and \`npm run check\`.

contract/   what both sides agree on
server/
  features/  db/  testing/
client/     what is shown
docs/       what is written
`;

/** A small tree without violations; each test plants one in it. */
const soundTree: Record<string, string> = {
  'README.md': readme,
  'package.json': '{"scripts": {"start": "node server/main.ts", "check": "node scripts/check.ts"}}\n',
  'package-lock.json': '{"packages": {"node_modules/a": {"version": "1.0.0", "integrity": "sha512-x"}}}\n',
  'contract/invoices.ts': 'export const limit = 10;\n',
  'server/app.ts': 'export const app = 1;\n',
  'server/features/invoices/routes.ts': 'export const routes = 1;\n',
  'server/features/invoices/invoices.test.ts': 'export const covered = true;\n',
  'client/app/invoices/invoices-page.tsx': 'export const page = 1;\n',
};

/** Built from halves, so that this file does not break the rule it tests. */
const toDo = `TO${'DO'}`;

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'structure-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function problemsWith(planted: Record<string, string>): string[] {
  const tree = { ...soundTree, ...planted };
  for (const [file, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return checkStructure({ root, files: Object.keys(tree) });
}

test('a valid tree has no problems', () => {
  expect(problemsWith({})).toEqual([]);
});

describe('the structure check reports', () => {
  test.each<[rule: string, planted: Record<string, string>, problem: RegExp]>([
    ['unknown top-level folder', { 'lib/a.ts': '' }, /^lib\/a\.ts: the top-level folder "lib"/],
    ['unknown server folder', { 'server/utils/a.ts': '' }, /"server\/utils" is not part/],
    ['unknown server file', { 'server/helpers.ts': '' }, /"server\/helpers\.ts" is not part/],
    ['unknown client folder', { 'client/components/a.tsx': '' }, /"client\/components" is not part/],
    ['folder in the contract', { 'contract/invoices/a.ts': '' }, /no folders/],
    [
      'unknown file in a feature',
      { 'server/features/invoices/service.ts': '' },
      /a feature contains routes\.ts/,
    ],
    [
      'tag of another noun',
      { 'server/features/invoices/routes.ts': "const tags = ['admin invoices'];\n" },
      /^server\/features\/invoices\/routes\.ts:1: the tag of its routes is 'invoices'/,
    ],
    [
      'folder in a feature',
      { 'server/features/invoices/lib/routes.ts': '' },
      /a feature contains routes\.ts/,
    ],
    ['feature without contract', { 'server/features/trips/routes.ts': '' }, /contract\/trips\.ts is missing/],
    [
      'two migrations with one number',
      { 'server/db/migrations/0002_a.sql': '', 'server/db/migrations/0002_b.sql': '' },
      /^server\/db\/migrations\/0002_b\.sql: has the same number as .*0002_a\.sql$/,
    ],
    ['barrel', { 'client/app/invoices/index.ts': '' }, /no barrels/],
    ['unfinished work', { 'server/app.ts': `// ${toDo}: later\n` }, /^server\/app\.ts:1: unfinished/],
    [
      'postponed work',
      { 'server/app.ts': `\n// good enough for ${'now'}\n` },
      /^server\/app\.ts:2: unfinished/,
    ],
    ['skipped test', { 'contract/invoices.ts': `test.${'skip'}('a')\n` }, /unfinished or skipped/],
    ['focused test', { 'contract/invoices.ts': `test.${'only'}('a')\n` }, /unfinished or skipped/],
    ['skipped cases', { 'contract/invoices.ts': `test.${'skip'}.each([1])\n` }, /unfinished or skipped/],
    ['focused cases', { 'contract/invoices.ts': `test.${'only'}.for([1])\n` }, /unfinished or skipped/],
    ['conditional test', { 'contract/invoices.ts': `test.${'runIf'}(a)('a')\n` }, /unfinished or skipped/],
    ['test that must fail', { 'contract/invoices.ts': `test.${'fail'}('a')\n` }, /unfinished or skipped/],
    ['tests that must fail', { 'contract/a.ts': `test.${'fails'}('a')\n` }, /unfinished or skipped/],
    [
      'second file that reads the environment',
      { 'server/app.ts': 'const a = process.env;\n' },
      /only server\/env\.ts/,
    ],
    [
      'environment read through an import',
      { 'server/app.ts': "import { env } from 'node:process';\n" },
      /only server\/env\.ts/,
    ],
    [
      'request from a page',
      { 'client/app/a.tsx': "void window.fetch('/api');\n" },
      /client\/lib\/api\.ts and client\/lib\/signed-in\.ts make requests/,
    ],
    [
      'request from the contract',
      { 'contract/a.ts': "void fetch('/api');\n" },
      /client\/lib\/api\.ts and client\/lib\/signed-in\.ts make requests/,
    ],
    [
      'path of one machine',
      { 'server/app.ts': `const a = '/${'home'}/anna/a';\n` },
      /a machine-specific path/,
    ],
    ['package registry', { '.npmrc': `${'registry'}=https://packages.example\n` }, /a package registry/],
    [
      'lock file bound to a registry',
      { 'package-lock.json': '{"resolved": "https://a.example"}\n' },
      /"resolved"/,
    ],
    [
      'undocumented script',
      { 'package.json': '{"scripts": {"start": "", "check": "", "deploy": ""}}\n' },
      /^package\.json: no document names the script "deploy"/,
    ],
    ['document naming a missing script', { 'docs/a.md': 'Run `npm run deploy`.\n' }, /no script "deploy"/],
    ['undocumented variable', { 'server/env.ts': "read('PORT');\n" }, /^README\.md: PORT is not explained/],
    [
      'documented variable that is not read',
      { 'README.md': `${readme}| \`PORT\` | \`3000\` |\n` },
      /does not read PORT/,
    ],
    [
      'citation of a missing file',
      { 'docs/asvs.md': 'See `server/app.ts`, `server/gone.ts`.\n' },
      /^docs\/asvs\.md:1: there is no file server\/gone\.ts/,
    ],
    [
      'citation of a missing test',
      {
        'docs/asvs.md': '`server/testing/a.test.ts` “stays”, “is gone”\n',
        'server/testing/a.test.ts': "test('stays')\n",
      },
      /^docs\/asvs\.md:1: server\/testing\/a\.test\.ts has no test “is gone”/,
    ],
    [
      'citation of a test in a missing file',
      { 'docs/asvs.md': 'See `gone.test.ts` “stays”.\n' },
      /^docs\/asvs\.md:1: there is no file gone\.test\.ts to have a test/,
    ],
    [
      'linked citation of a missing test',
      {
        'docs/calls.md':
          '\n| a | [a](../server/features/invoices/invoices.test.ts)\n"covered", "no more…" |\n',
      },
      /^docs\/calls\.md:2: server\/features\/invoices\/invoices\.test\.ts has no test “no more…”/,
    ],
    [
      'citation without a file',
      { 'docs/calls.md': '| a | [a](../server/features/invoices/invoices.test.ts) "covered" | "b" |\n' },
      /^docs\/calls\.md:1: the file of the test “b” is not named/,
    ],
    ['folder missing from the map', { 'e2e/a.spec.ts': '' }, /^README\.md: the map does not explain e2e\//],
    [
      'journeys whose accounts are called the same',
      {
        'README.md': `${readme}e2e/        what is walked\n`,
        'e2e/a.spec.ts': "make.user({ fullName: 'Ida Neri', companyName: 'Neri' });\n",
        'e2e/b.spec.ts': "make.user({ companyName: 'Bruni', fullName: 'Ida Neri' });\n",
      },
      /^e2e\/b\.spec\.ts:1: the account of e2e\/a\.spec\.ts:1 is called the same: fullName: 'Ida Neri'/,
    ],
    ['dead link', { 'docs/a.md': 'See [b](b.md).\n' }, /dead link: b\.md/],
  ])('%s', (_rule, planted, problem) => {
    expect(problemsWith(planted)).toEqual([expect.stringMatching(problem)]);
  });
});

test('documents may shorten the titles of tests', () => {
  const text = '[a](../server/features/invoices/invoices.test.ts) "cove…", “covered”\n';
  expect(problemsWith({ 'docs/calls.md': text })).toEqual([]);
});

test('documents may name existing scripts and link to existing files, pages and anchors', () => {
  const text = 'Run `npm run check`, see [b](../README.md#top), [c](https://example.com) and [d](#here).\n';
  expect(problemsWith({ 'docs/a.md': text })).toEqual([]);
});

test('URL paths of the product are not taken for paths of a machine', () => {
  expect(
    problemsWith({ 'server/app.ts': "const a = ['/app/home/x', 'https://example.com/home/x'];\n" }),
  ).toEqual([]);
});

describe('the files of the tree', () => {
  test('are those that Git tracks or would track, even in the checkout of another user', () => {
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    for (const file of ['.gitignore', 'ignored', 'new']) writeFileSync(join(root, file), 'ignored\n');
    // Only root may change the owner.
    if (process.getuid?.() === 0) chownSync(root, 65_534, 65_534);
    expect(trackedFiles(root)).toEqual(['.gitignore', 'new']);
  });

  test('cannot be listed without Git, which is reported in one line', () => {
    const script = join(import.meta.dirname, 'check-structure.ts');
    const { status, stderr } = spawnSync(process.execPath, [script], {
      env: { PATH: root },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'git is missing: it is needed to list the files to check\n',
    });
  });
});
