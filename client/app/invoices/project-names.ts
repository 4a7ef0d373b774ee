import { periodOf } from '#client/app/projects/distinct-names.ts';
import { useDistinctNames } from '#client/lib/namesakes.ts';
import type { InvoiceSummary } from '#contract/invoices.ts';

type Projects = InvoiceSummary['projects'];

const nameOf = ({ projectName }: Projects[number]) => projectName;
const locationOf = ({ location }: Projects[number]) => location ?? null;

/** How a project of a summary is named: with its location, or also its period, where several have the same name. */
export function useProjectNames(projects: Projects): (project: Projects[number]) => string {
  return useDistinctNames(projects, nameOf, locationOf, periodOf);
}
