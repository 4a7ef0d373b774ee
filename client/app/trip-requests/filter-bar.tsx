import { Group, NativeSelect } from '@mantine/core';
import { useAddressFilters, useAddressSearch } from '#client/lib/address-filters.ts';
import { SearchInput } from '#client/ui/search-input.tsx';
import { TRIP_REQUEST_STATES, type TripRequestState } from '#contract/trip-requests.ts';
import type { Filter } from './api.ts';

const stateOf = (text: string | null): TripRequestState | null =>
  TRIP_REQUEST_STATES.find((state) => state === text) ?? null;

/** A list's filters in the URL. */
export function useFilter(): Filter & { narrowed: boolean } {
  const [parameters] = useAddressFilters();
  const filter = { search: parameters.get('cerca') ?? '', state: stateOf(parameters.get('stato')) };
  return { ...filter, narrowed: filter.search !== '' || filter.state !== null };
}

const ANY = '';

/** Search and state filter of a list of requests, stored in the URL. @param searchBy the end of 'Cerca per …' */
export function FilterBar({ searchBy }: { searchBy: string }) {
  const { typed, setTyped } = useAddressSearch();
  const [parameters, change] = useAddressFilters<'stato'>();
  return (
    <Group component="search" align="end" gap="sm" mb="md" role="search">
      <SearchInput
        aria-label={`Cerca per ${searchBy}`}
        // The icon says 'Cerca'; with the words the rest would be cut off on a phone.
        placeholder={searchBy.charAt(0).toUpperCase() + searchBy.slice(1)}
        flex="100 1 18rem"
        value={typed}
        onChange={setTyped}
      />
      <NativeSelect
        aria-label="Stato"
        flex="1 1 11rem"
        value={stateOf(parameters.get('stato')) ?? ANY}
        data={[{ value: ANY, label: 'Tutti gli stati' }, ...TRIP_REQUEST_STATES]}
        onChange={(event) => change({ stato: event.currentTarget.value })}
      />
    </Group>
  );
}
