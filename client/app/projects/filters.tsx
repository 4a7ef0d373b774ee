import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { TYPING_PAUSE_MS } from '#client/lib/typing.ts';
import styles from './filters.module.css';

/** A search box whose text settles before it is used. It starts with what the address asks for (`?cerca=`). */
export function useAddressSearch(): { typed: string; settled: string; setTyped: (text: string) => void } {
  const asked = useSearchParams()[0].get('cerca') ?? '';
  const [answered, setAnswered] = useState(asked);
  const [typed, setTyped] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    setTyped(asked);
  }
  const [settled] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  return { typed, settled, setTyped };
}

type Choice = { value: string; label: string };

/** The search and the choices above a list. */
export function Filters({
  search,
  searchLabel,
  onSearch,
  choices,
}: {
  search: string;
  searchLabel: string;
  onSearch: (text: string) => void;
  choices: readonly {
    label: string;
    value: string;
    options: readonly Choice[];
    onChange: (value: string) => void;
  }[];
}) {
  return (
    <search className={styles.filters}>
      <TextInput
        className={styles.search}
        aria-label={searchLabel}
        placeholder={searchLabel}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        type="search"
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {choices.map(({ label, value, options, onChange }) => (
        <NativeSelect
          key={label}
          aria-label={label}
          className={styles.choice}
          value={value}
          data={[...options]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ))}
    </search>
  );
}
