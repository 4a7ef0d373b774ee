import { useAddressFilters, useAddressSearch, useShownAtOnce } from '#client/lib/address-filters.ts';
import { Filters } from '#client/ui/filters.tsx';
import { idFilterSchema } from '#contract/lists.ts';
import { TRIP_REQUEST_STATES, type TripRequestState } from '#contract/trip-requests.ts';
import type { Filter, ManagedFilter, OwnFilter } from './api.ts';

const stateOf = (text: string | null): TripRequestState | null =>
  TRIP_REQUEST_STATES.find((state) => state === text) ?? null;

/** The filters of both lists in the URL. */
function useFilter(): Filter & { narrowed: boolean } {
  const [parameters] = useAddressFilters();
  const filter = { search: parameters.get('cerca') ?? '', state: stateOf(parameters.get('stato')) };
  return { ...filter, narrowed: filter.search !== '' || filter.state !== null };
}

/** The filters of a customer's own list in the URL, with that by project, which is only come to from one. */
export function useOwnFilter(): OwnFilter & { narrowed: boolean } {
  const [parameters] = useAddressFilters();
  const { narrowed, ...filter } = useFilter();
  const projectId = idFilterSchema.parse(parameters.get('progetto') ?? undefined);
  return { ...filter, projectId, narrowed: narrowed || projectId !== undefined };
}

/** The filters of the administrator's list in the URL, with that by customer, which is only come to from one. */
export function useManagedFilter(): ManagedFilter & { narrowed: boolean } {
  const [parameters] = useAddressFilters();
  const { narrowed, ...filter } = useFilter();
  const userId = parameters.get('cliente') || undefined;
  return { ...filter, userId, narrowed: narrowed || userId !== undefined };
}

/** Search and state filter of a list of requests, stored in the URL. @param searchBy the end of 'Cerca per …' */
export function FilterBar({ searchBy }: { searchBy: string }) {
  const { typed, setTyped } = useAddressSearch();
  const [parameters, change] = useAddressFilters<'stato'>();
  const [shown, show] = useShownAtOnce({ stato: stateOf(parameters.get('stato')) ?? '' }, change);
  return (
    <Filters
      search={typed}
      searchBy={searchBy}
      onSearch={setTyped}
      choices={[
        {
          label: 'Filtra per stato',
          value: shown.stato,
          options: [{ value: '', label: 'Tutti gli stati' }, ...TRIP_REQUEST_STATES],
          onChange: (stato) => show({ stato }),
        },
      ]}
    />
  );
}
