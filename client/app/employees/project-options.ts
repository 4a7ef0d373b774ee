import { useDistinctNames } from '#client/lib/namesakes.ts';
import type { TeamStats } from '#contract/projects.ts';

type Projects = TeamStats['distribution'];

const nameOf = ({ name }: Projects[number]) => name;
const locationOf = ({ location }: Projects[number]) => location;

/** The options of a select of projects: their names, with the location where several have the same one. */
export function useProjectOptions(projects: Projects): { value: string; label: string }[] {
  const distinctName = useDistinctNames(projects, nameOf, locationOf);
  return projects.map((project) => ({ value: String(project.projectId), label: distinctName(project) }));
}
