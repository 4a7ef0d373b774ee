import { useDistinctNames } from '#client/lib/namesakes.ts';
import { type CalendarDate, period } from '#contract/dates.ts';

/** The dates are absent in answers of an older release. */
type Dated = { startDate?: CalendarDate | null | undefined; endDate?: CalendarDate | null | undefined };
type Named = Dated & { name: string; location: string };

const nameOf = ({ name }: Named) => name;
const locationOf = ({ location }: Named) => location;

/** When a project is, which tells it apart from one of the same name at the same place. */
export const periodOf = ({ startDate, endDate }: Dated) =>
  startDate && endDate ? period(startDate, endDate) : null;

/** `useDistinctNames` for projects, which their locations tell apart, or else their periods. */
export function useDistinctProjects(projects: readonly Named[]): (project: Named) => string {
  return useDistinctNames(projects, nameOf, locationOf, periodOf);
}
