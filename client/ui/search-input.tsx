import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { MAX_SEARCH_LENGTH } from '#contract/lists.ts';

/** A box to search a list with. Without a visible label, its placeholder is also its `aria-label`. */
export function SearchInput({
  onChange,
  ...input
}: Omit<TextInputProps, 'leftSection' | 'onChange' | 'ref'> & {
  value: string;
  onChange: (text: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  function clear() {
    // The button disappears together with the text it clears.
    field.current?.focus();
    onChange('');
  }
  return (
    <TextInput
      ref={field}
      type="search"
      placeholder={input['aria-label']}
      maxLength={MAX_SEARCH_LENGTH}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
      rightSection={input.value && <CloseButton aria-label="Cancella la ricerca" onClick={clear} />}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...input}
    />
  );
}
