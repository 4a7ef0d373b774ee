import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { employeeInputSchema, fullName } from '#contract/employees.ts';
import { crewMatchesQuery } from './api.ts';
import { knownPeople } from './crew-plan.ts';

/**
 * Looks up which of these names employees already have, once typing pauses.
 * @param wanted names as they are stored; another array only for other names
 * @param sent from when they are being saved: those who are added then would be found
 */
export function useKnownPeople(wanted: readonly string[], { sent = false } = {}) {
  const [names] = useDebouncedValue(wanted, DEBOUNCE_MS);
  const matches = useQuery({
    ...crewMatchesQuery(names),
    enabled: names.length > 0 && !sent,
    placeholderData: keepPreviousData,
  });
  const found = useMemo(() => knownPeople(matches.data?.matches), [matches.data]);
  return { found, checking: wanted !== names || matches.isFetching, unchecked: matches.isError };
}

type Names = { name: string; surname: string };

const namesSchema = employeeInputSchema.pick({ name: true, surname: true });

/** The whole name as it would be stored; '' while a part of it is missing or too long. */
function nameOf({ name, surname }: Names): string {
  const names = namesSchema.safeParse({ name, surname }).data;
  return names ? fullName(names.name, names.surname) : '';
}

/**
 * Looks up which new people have the name of an employee.
 * @param people as typed so far
 * @param options see `useKnownPeople`
 * @returns whether each of them has
 */
export function useNamesakes(people: readonly Names[], options: { sent: boolean }): boolean[] {
  const whole = people.map(nameOf);
  const typed = JSON.stringify([...new Set(whole)].filter(Boolean));
  const wanted = useMemo(() => JSON.parse(typed) as string[], [typed]);
  const { found } = useKnownPeople(wanted, options);
  return whole.map((name) => found.has(name));
}
