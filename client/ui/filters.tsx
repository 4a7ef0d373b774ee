import { NativeSelect } from '@mantine/core';
import styles from './filters.module.css';
import { SearchInput } from './search-input.tsx';

type Choice = { value: string; label: string };

/** A sort order; `value` is its name in the URL, empty for the default order. */
export type Order<Sort extends string> = Choice & { sort: Sort; direction: 'asc' | 'desc' };

/** The order with that name, otherwise the first. */
export function orderOf<Sort extends string>(
  orders: readonly [Order<Sort>, ...Order<Sort>[]],
  name: string | null,
): Order<Sort> {
  return orders.find(({ value }) => value === name) ?? orders[0];
}

/** The search box and selects above a list. */
export function Filters({
  search,
  searchBy,
  onSearch,
  choices,
}: {
  search: string;
  /** What the search looks in, as the end of 'Cerca per …'. */
  searchBy: string;
  onSearch: (text: string) => void;
  choices: readonly {
    label: string;
    value: string;
    options: readonly (string | Choice)[];
    onChange: (value: string) => void;
  }[];
}) {
  return (
    <search className={styles.filters}>
      <SearchInput
        className={styles.search}
        aria-label={`Cerca per ${searchBy}`}
        // The icon says 'Cerca'; with the words the rest would be cut off on a phone.
        placeholder={searchBy.charAt(0).toUpperCase() + searchBy.slice(1)}
        value={search}
        onChange={onSearch}
      />
      {choices.map(({ label, value, options, onChange }) => (
        <NativeSelect
          key={label}
          aria-label={label}
          className={styles.choice}
          value={value}
          data={options.map((option) =>
            typeof option === 'string' ? option : { value: option.value, label: option.label },
          )}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ))}
    </search>
  );
}
