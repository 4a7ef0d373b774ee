/**
 * `npm test`: the checks, the build, the tests of rules and server, and the journeys in a browser. Everything runs,
 * whatever fails before it; the last line counts the whole, and the exit code says whether nothing failed.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkParts } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { runParts, runProgram, type Tally } from './parts.ts';

const reports = join(import.meta.dirname, '../test-results');

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

const stages: readonly { title: string; run: () => Promise<Tally> }[] = [
  {
    title: 'Checks and build',
    run: () =>
      runParts([{ name: 'client build', command: ['node', 'scripts/bootstrap.js', 'build'] }, ...checkParts]),
  },
  { title: 'Weight of the pages', run: () => runParts([{ name: 'size budgets', command: ['size-limit'] }]) },
  {
    title: 'Rules and server',
    async run() {
      const report = join(reports, 'vitest.json');
      const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const code = await runProgram('vitest', ['run', ...options]);
      const { numPassedTests: passed, numFailedTests: failed } = vitestReport.parse(readReport(report));
      return accountFor(code, { passed, failed });
    },
  },
  {
    title: 'Journeys in the browser',
    async run() {
      await ensureChromium();
      const report = join(reports, 'playwright.json');
      const code = await runProgram('playwright', ['test']);
      const { stats } = playwrightReport.parse(readReport(report));
      return accountFor(code, { passed: stats.expected, failed: stats.unexpected + stats.flaky });
    },
  },
];

function readReport(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** A stage that ends in error without a failed test, or that ran no test at all, is itself a failure. */
function accountFor(exitCode: number, { passed, failed }: Tally): Tally {
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: unexplained ? 1 : failed };
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);
const total: Tally = { passed: 0, failed: 0 };
for (const { title, run } of stages) {
  console.log(`\n${title}`);
  const started = performance.now();
  const { passed, failed } = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  console.log(
    `${title}: ${passed} passed, ${failed} failed in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  total.passed += passed;
  total.failed += failed;
}
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed`);
