/**
 * `npm test`: the checks, the build, the tests of rules and server, and the journeys in a browser. Each stage runs even if
 * an earlier one fails. At the end all failures are printed again with their reasons, because they may have scrolled out of
 * sight; the last line has the totals, and the exit code is not 0 if anything failed.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { checkParts } from './check.ts';
import { runParts, runProgram, type Tally } from './parts.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'test-results');

/** The titles of the tests that skip themselves on some machines, and say why. Any other that is skipped is a failure. */
const SKIPPABLE = [
  // Only root runs PostgreSQL as another user.
  'that only root can enter gets a symbolic link to a cluster stored elsewhere',
  // A small disk needs root on Linux, and a container that permits mounts.
  'when the disk is full',
];

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

const playwrightSpec = z.object({
  file: z.string(),
  line: z.number(),
  title: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(z.object({ errors: z.array(z.object({ message: z.string().default('') })) })),
    }),
  ),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec).default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
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
      const { numPassedTests, testResults } = vitestReport.parse(readReport(report));
      const failures = testResults
        .filter(({ status }) => status === 'failed')
        .flatMap(({ name, message, assertionResults }) => {
          const file = relative(root, name);
          const failed = assertionResults.filter(({ status }) => status === 'failed');
          // A file that fails in a hook or before its first test has no failed test.
          return failed.length === 0
            ? [`${file}: ${message}`]
            : failed.map(
                ({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages.join('\n')}`,
              );
        });
      const skipped = testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status !== 'passed' && status !== 'failed')
          .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
      );
      return accountFor(code, { passed: numPassedTests, failures, skipped });
    },
  },
  {
    title: 'Journeys in the browser',
    async run() {
      const report = join(reports, 'playwright.json');
      const code = await runProgram('playwright', ['test']);
      const { stats, suites } = playwrightReport.parse(readReport(report));
      const failures = suites.flatMap(failedJourneys);
      const skipped = stats.skipped === 0 ? [] : [`${stats.skipped} journeys`];
      return accountFor(code, { passed: stats.expected, failures, skipped });
    },
  },
];

function failedJourneys({ specs, suites }: z.infer<typeof playwrightSuite>): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => {
        const reasons = results.flatMap(({ errors }) => errors.map(({ message }) => message));
        return `${file}:${line} [${projectName}]: ${title}\n${reasons.join('\n')}`;
      }),
  );
  return [...own, ...suites.flatMap(failedJourneys)];
}

function readReport(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Also counts as a failure: a stage that ends with an error but no failed test, or that ran no tests, and a skipped test
 * that must not be.
 */
function accountFor(exitCode: number, { passed, failures, skipped = [] }: Tally): Tally {
  const unexplained = failures.length === 0 && (exitCode !== 0 || passed === 0);
  return {
    passed,
    failures: [
      ...failures,
      ...skipped
        .filter((test) => !SKIPPABLE.some((title) => test.endsWith(title)))
        .map((test) => `${test}: skipped`),
      ...(unexplained
        ? [
            `ended with code ${exitCode} although none of its ${passed} tests failed: see what it printed above`,
          ]
        : []),
    ],
    skipped,
  };
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);
const total: Tally = { passed: 0, failures: [] };
for (const { title, run } of stages) {
  console.log(`\n${title}`);
  const started = performance.now();
  const {
    passed,
    failures,
    skipped = [],
  } = await run().catch((error: unknown): Tally => {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(reason);
    return { passed: 0, failures: [reason] };
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${title}: ${passed} passed, ${failures.length} failed, ${skipped.length} skipped in ${seconds} s`,
  );
  for (const test of skipped) console.log(`- skipped: ${test}`);
  total.passed += passed;
  total.failures.push(...failures.map((failure) => `${title}: ${failure}`));
}
for (const failure of total.failures) {
  console.log(`\n✗ ${failure}`);
}
process.exitCode = total.failures.length === 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failures.length} failed`);
