import type { CrewMatches } from '#contract/employees.ts';
import type { CrewRow } from './crew-list.ts';

/** Names of a crew list that employees already have, with the employees of each name. */
export type KnownPeople = ReadonlyMap<string, CrewMatches[number]['employees']>;

/** The employees found by a look-up, by the name as written in the list. */
export function knownPeople(matches: CrewMatches | undefined): KnownPeople {
  return new Map(matches?.map(({ name, employees }) => [name, employees]));
}

/**
 * What an import does with a valid row. 'ambiguous': several employees have the name, and it is unknown which of them
 * should join the project.
 */
export type Outcome = 'added' | 'left out' | 'assigned' | 'on the project' | 'ambiguous';

/** The project of an import, if any, and whether existing employees are not added again. */
export type ImportTarget = { projectId: number | null; skipKnown: boolean };

/** What an import into that target does with a row of that name. */
export function outcomeOf(name: string, known: KnownPeople, { projectId, skipKnown }: ImportTarget): Outcome {
  const [first, ...others] = known.get(name) ?? [];
  if (!first || !skipKnown) return 'added';
  if (projectId === null) return 'left out';
  if ([first, ...others].some(({ projectIds }) => projectIds.includes(projectId))) return 'on the project';
  return others.length > 0 ? 'ambiguous' : 'assigned';
}

/** The people that an import adds, and the ids, without duplicates, of existing employees who join its project. */
export function importOf(rows: readonly CrewRow[], known: KnownPeople, target: ImportTarget) {
  const assigned = new Set<number>();
  const employees = rows.flatMap(({ fullName, input }) => {
    const outcome = outcomeOf(fullName, known, target);
    if (outcome === 'assigned') {
      for (const { id } of known.get(fullName) ?? []) assigned.add(id);
    }
    return outcome === 'added' && input ? [input] : [];
  });
  return { employees, employeeIds: [...assigned] };
}
