import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';

/** Lighthouse's report on one load of a page. */
export type Report = RunnerResult['lhr'];

/** How often Lighthouse may fail to record a page before that counts as a failure. */
const MISSED_RECORDINGS = 5;

/**
 * Loads `url` in Lighthouse `runs` times, with its mobile profile unless `flags` differ.
 * @throws if it cannot record the page
 */
export async function record(url: string, runs: number, flags: Flags): Promise<Report[]> {
  const reports: Report[] = [];
  for (let missed = 0; reports.length < runs; ) {
    const result = await lighthouse(url, { logLevel: 'error', ...flags });
    const failure = result ? result.lhr.runtimeError : { message: 'no result' };
    if (result && !failure) {
      reports.push(result.lhr);
    } else if (++missed > MISSED_RECORDINGS) {
      throw new Error(`Lighthouse cannot measure ${url}: ${failure?.message}`);
    }
  }
  return reports;
}

/** The value of one audit. @throws if it was not measured */
export function numeric(report: Report, audit: string): number {
  const value = report.audits[audit]?.numericValue;
  if (value === undefined) throw new Error(`Lighthouse measured no ${audit} on ${report.finalDisplayedUrl}`);
  return value;
}
