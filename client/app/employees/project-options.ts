import { useDistinctProjects } from '#client/app/projects/distinct-names.ts';
import type { TeamStats } from '#contract/projects.ts';

type Projects = TeamStats['distribution'];

/** The options of a select of projects: their names, told apart where several have the same one. */
export function useProjectOptions(projects: Projects): { value: string; label: string }[] {
  const distinctName = useDistinctProjects(projects);
  return projects.map((project) => ({ value: String(project.projectId), label: distinctName(project) }));
}
