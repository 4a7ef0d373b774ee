import { Select, type SelectProps } from '@mantine/core';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { steady } from '#client/ui/steady.tsx';
import { useSearch } from './use-search.ts';

type Named = { id: number; name: string };

/** One project, searched on the server: there may be more than a list holds. */
export const ProjectSelect = steady(View) as typeof View;

function View<Answer, Found extends { items: Named[] }, Key extends QueryKey>({
  queryOf,
  nothingFound,
  value,
  current,
  onChange,
  ...field
}: Omit<SelectProps, 'data' | 'value' | 'onChange' | 'onSearchChange' | 'searchValue'> & {
  /** Asks for the projects that a search finds, the newest first. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  /** Shown when there are none. */
  nothingFound: string;
  value: string;
  /** The project a record has already, so that it has a name before any search. */
  current?: Named | null;
  onChange: (projectId: string) => void;
}) {
  const [chosen, setChosen] = useState(current?.name ?? '');
  const { search, setSearch, sought, typing } = useSearch(value && chosen);
  const query = useQuery(queryOf(sought));
  const found = query.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  const kept = current && !found.some((option) => option.value === String(current.id));
  const options = kept ? [...found, { value: String(current.id), label: current.name }] : found;
  return (
    <Select
      searchable
      openOnFocus={false}
      nothingFoundMessage={typing || query.isFetching ? 'Ricerca in corso…' : nothingFound}
      {...field}
      data={options}
      // The server has searched.
      filter={({ options: all }) => (typing ? [] : all)}
      value={value || null}
      onChange={(id, option) => {
        setChosen(option?.label ?? '');
        // With the choice, and not in a second rendering after it.
        setSearch(option?.label ?? '');
        onChange(id ?? '');
      }}
      searchValue={search}
      onSearchChange={setSearch}
    />
  );
}
