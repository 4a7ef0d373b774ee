import { useDistinctNames } from '#client/lib/namesakes.ts';

type Named = { name: string; location: string };

const nameOf = ({ name }: Named) => name;
const locationOf = ({ location }: Named) => location;

/** `useDistinctNames` for projects, which their locations tell apart. */
export function useDistinctProjects(projects: readonly Named[]): (project: Named) => string {
  return useDistinctNames(projects, nameOf, locationOf);
}
