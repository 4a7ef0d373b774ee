import { NativeSelect } from '@mantine/core';
import { SearchInput } from '#client/ui/search-input.tsx';
import styles from './filters.module.css';

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
      <SearchInput className={styles.search} aria-label={searchLabel} value={search} onChange={onSearch} />
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
