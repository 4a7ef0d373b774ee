import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { TYPING_PAUSE_MS } from '#client/lib/typing.ts';
import { TRIP_REQUEST_STATES } from '#contract/trip-requests.ts';
import type { Filter } from './api.ts';

const ANY = '';

/** Search and state of a list of requests; `onChange` is told after a short pause in typing. */
export function FilterBar({
  searchLabel,
  onChange,
}: {
  searchLabel: string;
  onChange: (filter: Filter) => void;
}) {
  const [search, setSearch] = useState('');
  const [state, setState] = useState<Filter['state']>(null);
  const tell = useDebouncedCallback(
    (text: string) => onChange({ search: text.trim(), state }),
    TYPING_PAUSE_MS,
  );
  return (
    <Group component="search" align="end" gap="sm" mb="md" role="search">
      <TextInput
        aria-label={searchLabel}
        placeholder={searchLabel}
        type="search"
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
        flex="100 1 18rem"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          tell(event.currentTarget.value);
        }}
      />
      <NativeSelect
        aria-label="Stato"
        flex="1 1 11rem"
        value={state ?? ANY}
        data={[{ value: ANY, label: 'Tutti gli stati' }, ...TRIP_REQUEST_STATES]}
        onChange={(event) => {
          const chosen =
            TRIP_REQUEST_STATES.find((candidate) => candidate === event.currentTarget.value) ?? null;
          setState(chosen);
          onChange({ search: search.trim(), state: chosen });
        }}
      />
    </Group>
  );
}
