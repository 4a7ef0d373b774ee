import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import type { Press } from '../e2e/support/presses.ts';

/** From a press to the next frame, in milliseconds. */
const BUDGET = 100;
const SLOWEST_TOLD = 12;

/** Prints the slowest presses of all journeys; fails when one is over its budget, or a journey failed. */
export default class JourneysReporter implements Reporter {
  private readonly presses: (Press & { journey: string })[] = [];
  private readonly failed: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const project = test.parent.project()?.name ?? '';
    const journey = `${project}: ${test.title}`;
    if (result.status !== 'passed') this.failed.push(`${journey}\n${result.error?.message ?? result.status}`);
    for (const { name, body } of result.attachments) {
      if (name !== 'presses' || !body) continue;
      const presses: Press[] = JSON.parse(body.toString());
      this.presses.push(...presses.map((press) => ({ ...press, journey })));
    }
    process.stdout.write('.');
  }

  async onEnd(): Promise<Pick<FullResult, 'status'>> {
    const slowest = this.presses.toSorted((one, other) => other.ms - one.ms);
    const over = slowest.filter(({ ms }) => ms > BUDGET);
    console.log(
      `\n${slowest.length} presses and letters of more than a frame, ${over.length} over ${BUDGET} ms`,
    );
    console.table(
      slowest.slice(0, SLOWEST_TOLD).map(({ ms, worked, target, journey }) => ({
        ms,
        worked,
        target: target.slice(0, 40),
        journey: journey.slice(0, 70),
      })),
    );
    for (const journey of this.failed) console.error(`failed: ${journey}`);
    const sound = this.failed.length === 0 && this.presses.length > 0 && over.length === 0;
    return { status: sound ? 'passed' : 'failed' };
  }
}
