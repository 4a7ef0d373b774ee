import type { CrewMatches } from '#contract/employees.ts';
import type { CrewRow } from './crew-list.ts';

/** Names of a crew list that employees already have, with who has each. */
export type KnownPeople = ReadonlyMap<string, CrewMatches[number]['employees']>;

/** The people of a look-up by their names, as they stand in the list. */
export function knownPeople(matches: CrewMatches | undefined): KnownPeople {
  return new Map(matches?.map(({ name, employees }) => [name, employees]));
}

/**
 * What an import does about a row without errors. 'ambiguous': several employees have the name, and it cannot be known which of
 * them is to join the project.
 */
export type Outcome = 'added' | 'left out' | 'assigned' | 'on the project' | 'ambiguous';

/** Where an import goes, and whether whoever is an employee already is not added again. */
export type ImportTarget = { projectId: number | null; skipKnown: boolean };

/** What an import with that target does about a row of that name. */
export function outcomeOf(name: string, known: KnownPeople, { projectId, skipKnown }: ImportTarget): Outcome {
  const [first, ...others] = known.get(name) ?? [];
  if (!first || !skipKnown) return 'added';
  if (projectId === null) return 'left out';
  if ([first, ...others].some(({ projectIds }) => projectIds.includes(projectId))) return 'on the project';
  return others.length > 0 ? 'ambiguous' : 'assigned';
}

/** The people of a crew list that an import adds, and the ids of those employees, each once, who join its project. */
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
