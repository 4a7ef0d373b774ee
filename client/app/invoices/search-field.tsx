import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { TYPING_PAUSE_MS } from '#client/lib/typing.ts';

/** A search box that asks once the typing pauses. */
export function SearchField({
  label,
  placeholder,
  initial,
  onSearch,
}: {
  label: string;
  placeholder: string;
  initial: string;
  onSearch: (search: string) => void;
}) {
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback((typed: string) => onSearch(typed.trim()), TYPING_PAUSE_MS);
  const change = (typed: string) => {
    setText(typed);
    search(typed);
  };
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      maxLength={200}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
      rightSection={text && <CloseButton aria-label="Cancella la ricerca" onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
