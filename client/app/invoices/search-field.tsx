import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useAddressSearch } from '#client/lib/address-filters.ts';

/** A search box that writes into the address once the typing pauses. */
export function SearchField({ label, placeholder }: { label: string; placeholder: string }) {
  const { typed, setTyped } = useAddressSearch();
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      maxLength={200}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
      rightSection={typed && <CloseButton aria-label="Cancella la ricerca" onClick={() => setTyped('')} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
