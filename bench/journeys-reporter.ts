import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { median } from '#server/testing/median.ts';
import type { Press } from '../e2e/support/presses.ts';

/** From a press to the next frame, in milliseconds. */
const BUDGET = 100;
const SLOWEST_SHOWN = 12;

type JourneyPress = Press & { journey: string };

/**
 * Prints the slowest presses, and the slowest of each journey. Fails when a journey failed, or when the median of its runs is over
 * the budget: another program that takes the processor for a moment spoils only one run.
 */
export default class JourneysReporter implements Reporter {
  private readonly presses: JourneyPress[] = [];
  /** Journey → the slowest press of each of its runs. */
  private readonly slowest = new Map<string, number[]>();
  private readonly failed: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const project = test.parent.project()?.name ?? '';
    const journey = `${project}: ${test.title}`;
    if (result.status !== 'passed') this.failed.push(`${journey}\n${result.error?.message ?? result.status}`);
    for (const { name, body } of result.attachments) {
      if (name !== 'presses' || !body) continue;
      const presses: Press[] = JSON.parse(body.toString());
      this.presses.push(...presses.map((press) => ({ ...press, journey })));
      this.slowest.set(journey, [
        ...(this.slowest.get(journey) ?? []),
        Math.max(0, ...presses.map(({ ms }) => ms)),
      ]);
    }
    process.stdout.write('.');
  }

  async onEnd(): Promise<Pick<FullResult, 'status'>> {
    const presses = this.presses.toSorted((one, other) => other.ms - one.ms);
    const journeys = [...this.slowest]
      .map(([journey, runs]) => ({
        journey: journey.slice(0, 70),
        middle: median(runs),
        runs: runs.join(' / '),
      }))
      .toSorted((one, other) => other.middle - one.middle);
    const over = journeys.filter(({ middle }) => middle > BUDGET);
    console.log(`\n${presses.length} presses and letters of more than a frame, of which the slowest took`);
    console.table(
      presses.slice(0, SLOWEST_SHOWN).map(({ ms, waited, worked, target, journey }) => ({
        ms,
        waited,
        worked,
        target: target.slice(0, 40),
        journey: journey.slice(0, 70),
      })),
    );
    console.log(
      `${journeys.length} journeys, ${over.length} with a press of more than ${BUDGET} ms; the slowest press of a run:`,
    );
    console.table(journeys.slice(0, SLOWEST_SHOWN));
    for (const journey of this.failed) console.error(`failed: ${journey}`);
    const sound = this.failed.length === 0 && presses.length > 0 && over.length === 0;
    return { status: sound ? 'passed' : 'failed' };
  }
}
