import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flatten } from '#client/lib/list-pages.ts';
import type { Employee } from '#contract/employees.ts';
import { employeesByIdQuery } from './api.ts';

/** Employees by id, from every page and search seen so far. */
function useSeen(found: readonly Employee[], members: readonly Employee[]): ReadonlyMap<number, Employee> {
  const seen = useRef<ReadonlyMap<number, Employee>>(new Map());
  return useMemo(() => {
    const known = new Map(seen.current);
    for (const employee of [...found, ...members]) known.set(employee.id, employee);
    seen.current = known;
    return known;
  }, [found, members]);
}

/**
 * The chosen employees, by name. Those who have not been listed are read by their ids.
 * @param ids of the chosen employees
 * @param found the listed employees
 * @returns also the query that reads them, and whether there is more to come of it
 */
export function useChosen(ids: readonly number[], found: readonly Employee[]) {
  /** Ids of employees who were chosen without being seen: the team so far, or that of a draft. */
  const [unseen, setUnseen] = useState(ids);
  const team = useInfiniteQuery(employeesByIdQuery(unseen));
  // All of them: they are listed, and need to be checked for clashes too.
  const { hasNextPage, fetchNextPage, isFetching, isError } = team;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const members = useMemo(() => (team.data ? flatten(team.data).items : []), [team.data]);
  const seen = useSeen(found, members);
  const asked = new Set(unseen);
  // The form has taken over another team. Those that no longer exist are not asked for again.
  const further = ids.filter((id) => !seen.has(id) && !asked.has(id));
  if (further.length > 0) setUnseen([...unseen, ...further]);
  const picked = ids
    .flatMap((id) => seen.get(id) ?? [])
    .toSorted((one, other) => one.name.localeCompare(other.name, 'it'));
  const isTeamToCome = picked.length < ids.length && !isError && (team.isPending || hasNextPage);
  return { team, picked, isTeamToCome };
}
