import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const project = join(import.meta.dirname, '..');

/** Every file breaks exactly one rule, or none. */
const planted: Record<string, string> = {
  'contract/dates.ts': 'export const today = 1;\nexport type Day = string;\n',
  'contract/invoices.ts': "import { today } from '#contract/dates.ts';\nexport const limit = today;\n",
  'contract/reads-files.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
  'contract/knows-server.ts':
    "import type { Services } from '#server/services.ts';\nexport type A = Services;\n",
  'contract/cycle-a.ts': "import { b } from '#contract/cycle-b.ts';\nexport const a = () => b;\n",
  'contract/cycle-b.ts': "import { a } from '#contract/cycle-a.ts';\nexport const b = () => a;\n",
  'contract/unresolved.ts': "import { a } from '#contract/nowhere.ts';\nexport const b = a;\n",
  'server/app.ts': 'export const app = 1;\nexport type App = typeof app;\n',
  'server/services.ts': "export { limit } from '#contract/invoices.ts';\nexport type Services = number;\n",
  'server/knows-client.ts': "import type { Page } from '#client/ui/page.tsx';\nexport type A = Page;\n",
  'server/uses-tests.ts': "import { fake } from '#server/testing/fake.ts';\nexport const a = fake;\n",
  'server/uses-dev-dependency.ts': "import { test } from 'vitest';\nexport const a = test;\n",
  'server/testing/fake.ts': 'export const fake = 1;\n',
  'server/db/knows-feature.ts':
    "import { list } from '#server/features/projects/queries.ts';\nexport const a = list;\n",
  'server/db/knows-http.ts':
    "import { headers } from '#server/http/headers.ts';\nexport const a = headers;\n",
  'server/http/headers.ts': 'export const headers = 1;\n',
  'server/features/projects/queries.ts': 'export const list = 1;\n',
  'server/features/projects/routes.ts': "import { list } from './queries.ts';\nexport const routes = list;\n",
  'server/features/invoices/queries.ts': "export { list } from '#server/features/projects/queries.ts';\n",
  'server/features/invoices/routes.ts': "export { routes } from '#server/features/projects/routes.ts';\n",
  'client/ui/page.tsx': 'export type Page = string;\nexport const page = <p>pagina</p>;\n',
  'client/ui/knows-app.tsx': "export { home } from '#client/app/home.tsx';\n",
  'client/app/home.tsx': "import type { App } from '#server/app.ts';\nexport const home: App = 1;\n",
  'client/app/takes-app.tsx': "import { app } from '#server/app.ts';\nexport const a = app;\n",
  'client/app/knows-server.tsx':
    "import type { Services } from '#server/services.ts';\nexport type A = Services;\n",
  'client/lib/api.ts': "import { hc } from 'hono/client';\nexport const api = hc;\n",
  'client/app/makes-requests.tsx': "import { hc } from 'hono/client';\nexport const api = hc;\n",
  'client/app/uses-node.tsx': "import { join } from 'node:path';\nexport const a = join;\n",
};

let root = '';
let violations: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  for (const [file, content] of Object.entries(planted)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  for (const file of ['package.json', '.dependency-cruiser.js']) {
    cpSync(join(project, file), join(root, file));
  }
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  violations = await cruise();
});

afterAll(() => {
  rmSync(root, { recursive: true });
});

type Cruise = { summary: { violations: { rule: { name: string }; from: string }[] } };

async function cruise(): Promise<string[]> {
  const program = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const folders = ['contract', 'server', 'client'];
  const result = run(process.execPath, [program, '--no-progress', '--output-type', 'json', ...folders], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await result.catch((error: { stdout: string }) => error);
  const report: Cruise = JSON.parse(stdout);
  return report.summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`).sort();
}

test('each import rule reports exactly the files that break it', () => {
  expect(violations).toEqual([
    'client/app/knows-server.tsx: client-imports-no-server',
    'client/app/makes-requests.tsx: requests-are-made-in-one-place',
    'client/app/takes-app.tsx: client-takes-only-the-type-of-app',
    'client/app/uses-node.tsx: client-runs-in-a-browser',
    'client/ui/knows-app.tsx: ui-knows-no-domain',
    'contract/cycle-a.ts: no-cycles',
    'contract/knows-server.ts: contract-imports-neither-side',
    'contract/reads-files.ts: contract-does-no-io',
    'contract/unresolved.ts: no-unresolved-imports',
    'server/db/knows-feature.ts: infrastructure-knows-no-feature',
    'server/db/knows-http.ts: infrastructure-knows-no-http',
    'server/features/invoices/routes.ts: features-meet-through-their-doors',
    'server/knows-client.ts: server-knows-no-client',
    'server/uses-dev-dependency.ts: server-runs-without-dev-dependencies',
    'server/uses-tests.ts: product-ships-no-tooling',
  ]);
});
