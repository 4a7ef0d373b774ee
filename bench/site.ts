/**
 * `npm run bench:site`: Lighthouse's mobile profile (slow 4G and a processor four times slower, simulated) on every
 * public page of the built site, served over loopback by the server's static file handler. Prints a table, and exits with
 * code 1 if a page is over a budget.
 *
 * The first row is an empty page, the cost of nothing on this machine at its present load. Unless it is near zero, the machine
 * itself adds to the times of the other rows.
 *
 * `--runs=N` measures each page N times and takes the median (3 by default); `--only=/pricing` measures one page.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { chromium } from '@playwright/test';
import { Hono } from 'hono';
import { publicPaths } from '#client/site/paths.ts';
import { freePort } from '#server/db/postmaster.ts';
import type { AppEnv } from '#server/http/env.ts';
import { securityHeaders } from '#server/http/headers.ts';
import { clientFiles } from '#server/http/static.ts';
import { median } from '#server/testing/median.ts';
import { chromiumLaunchOptions, ensureChromium } from '../scripts/chromium.ts';
import { criticalCssKb } from '../scripts/critical-css.ts';
import { readArguments, requireKnown, requireNumber } from './arguments.ts';
import { numeric, type Report, record } from './recordings.ts';

/** Budgets of a page: times in ms, weights in kB (scripts in brotli, CSS as inlined in the page). */
const budgets = { score: 100, lcp: 1000, cls: 0, tbt: 50, scriptKb: 110, cssKb: 20 } as const;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

const BLANK = '/blank';

const { values: options } = readArguments({
  options: { runs: { type: 'string', default: '3' }, only: { type: 'string' } },
});
const wanted = requireKnown('page', publicPaths, options.only === undefined ? publicPaths : [options.only]);
const runs = requireNumber('runs', options.runs);

/** Serves the built client as the product does, without the database behind it. */
async function serve(): Promise<{ origin: string; close(): void }> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = new Hono<AppEnv>()
    .use(securityHeaders(origin))
    .get(BLANK, (c) => c.html('<!doctype html><html lang="it"><title>Vuota</title><p>Vuota'))
    // The only request of a public page: who is signed in. Nobody.
    .get('/api/auth/session', (c) => c.json({ me: null }))
    .route('/', clientFiles);
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { origin, close: () => server.close() };
}

type Transfer = { url: string; resourceType: string };

function isTransfer(item: object): item is Transfer {
  return 'url' in item && 'resourceType' in item;
}

function transfers(report: Report): Transfer[] {
  const details = report.audits['network-requests']?.details;
  return details?.type === 'table' ? details.items.filter(isTransfer) : [];
}

/** Brotli weight, in kB, of every script the page fetched, including those prefetched while idle. */
function scriptKb(report: Report): number {
  const scripts = transfers(report).filter(({ resourceType }) => resourceType === 'Script');
  return (
    scripts.reduce((sum, { url }) => sum + statSync(builtFile(`${new URL(url).pathname}.br`)).size, 0) / 1000
  );
}

function builtFile(path: string): string {
  return join(import.meta.dirname, '../build/client', path);
}

function foreignRequests(report: Report, origin: string): string[] {
  return transfers(report)
    .map(({ url }) => url)
    .filter((url) => /^https?:/.test(url) && new URL(url).origin !== origin);
}

/** The audits that lost points in a category, in any of the runs. */
function failedAudits(reports: Report[], category: string): string {
  const failed = reports.flatMap(({ audits, categories: all }) =>
    (all[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.995)
      .map(({ id }) => id),
  );
  return [...new Set(failed)].join(', ');
}

await ensureChromium();
const site = await serve();
const debuggingPort = await freePort();
const launch = chromiumLaunchOptions();
const browser = await chromium.launch({
  ...launch,
  args: [...(launch.args ?? []), `--remote-debugging-port=${debuggingPort}`],
});
const problems: string[] = [];
const rows: Record<string, Record<string, number>> = {};
try {
  for (const path of [BLANK, ...wanted]) {
    const url = site.origin + path;
    const flags = { port: debuggingPort, onlyCategories: [...categories] };
    const reports = await record(url, runs, flags).catch((error: Error) => {
      problems.push(`${path}: ${error.message}`);
      return [];
    });
    if (reports.length === 0) continue;
    const middle = (read: (report: Report) => number) => median(reports.map(read));
    const row: Record<string, number> = {};
    for (const category of categories) {
      const score = Math.round(middle((report) => (report.categories[category]?.score ?? 0) * 100));
      row[category] = score;
      if (path !== BLANK && score < budgets.score) {
        problems.push(`${path}: ${category} is ${score} (${failedAudits(reports, category)})`);
      }
    }
    const measured: [name: string, value: number, budget: number][] = [
      ['FCP ms', Math.round(middle((report) => numeric(report, 'first-contentful-paint'))), budgets.lcp],
      ['LCP ms', Math.round(middle((report) => numeric(report, 'largest-contentful-paint'))), budgets.lcp],
      ['CLS', Number(middle((report) => numeric(report, 'cumulative-layout-shift')).toFixed(4)), budgets.cls],
      ['TBT ms', Math.round(middle((report) => numeric(report, 'total-blocking-time'))), budgets.tbt],
      ['JS kB', Number(middle(scriptKb).toFixed(1)), budgets.scriptKb],
      ['CSS kB', Number(criticalCssKb(await (await fetch(url)).text()).toFixed(1)), budgets.cssKb],
    ];
    for (const [name, value, budget] of measured) {
      row[name] = value;
      if (path !== BLANK && value > budget)
        problems.push(`${path}: ${name} is ${value}, the budget is ${budget}`);
    }
    for (const request of new Set(reports.flatMap((report) => foreignRequests(report, site.origin)))) {
      problems.push(`${path}: asks another origin for ${request}`);
    }
    rows[path] = row;
  }
} finally {
  await browser.close();
  site.close();
}
console.table(rows);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
