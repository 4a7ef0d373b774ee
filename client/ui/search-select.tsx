import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { shallowEqual, useDebouncedValue } from '@mantine/hooks';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import styles from './search-select.module.css';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** How one of what can be chosen is shown. */
export type SearchOption = {
  /** Tells it from the others. */
  value: string;
  /** Its name, which the field shows once it is chosen. */
  label: string;
  /** What tells it from others of that name. */
  details?: string;
};

/** What a field shows that is made of this one. */
export type SearchFieldProps = Pick<
  TextInputProps,
  'label' | 'description' | 'required' | 'disabled' | 'placeholder' | 'error'
> & { 'data-autofocus'?: boolean };

type Props<Item, Answer, Found extends { items: Item[] }, Key extends QueryKey> = SearchFieldProps & {
  /** Asks for what a text finds; for the first ones where there is no text. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  optionOf: (item: Item) => SearchOption;
  chosen: Item | null;
  onChange: (item: Item | null) => void;
  /** Shown when nothing is found; a search that failed says so itself, and is asked for again when the list is opened next. */
  nothingFound: string;
  /** What the button is called that takes the choice back; without it the choice can only be changed. */
  clearLabel?: string;
};

/**
 * One of many, searched on the server, which may have more than a list holds. Built of the library's parts rather than its
 * whole select, which renders all options with each letter and the field again for each choice.
 */
export function SearchSelect<Item, Answer, Found extends { items: Item[] }, Key extends QueryKey>({
  queryOf,
  optionOf,
  chosen,
  onChange,
  nothingFound,
  clearLabel,
  disabled,
  error,
  ...field
}: Props<Item, Answer, Found, Key>) {
  const inputId = useId();
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active', { scrollIntoView: true });
      if (query.isError) void query.refetch();
    },
    onDropdownClose: () => combobox.resetSelectedOption(),
  });
  const current = chosen && optionOf(chosen);
  /** What is being looked for; null while the field shows what is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = typed?.trim() ?? '';
  const [sought] = useDebouncedValue(wanted, DEBOUNCE_MS);
  /** The options of the search before are not offered: nobody who types fast picks one of them. */
  const typing = sought !== wanted;
  const query = useQuery(queryOf(sought));
  const failure = query.error?.message;
  const found = typing ? [] : (query.data?.items ?? []);
  const missing = chosen && wanted === '' && !found.some((item) => optionOf(item).value === current?.value);
  const items = missing ? [...found, chosen] : found;

  function choose(value: string) {
    setTyped(null);
    combobox.closeDropdown();
    if (value !== current?.value) onChange(items.find((item) => optionOf(item).value === value) ?? null);
  }

  const searching = typing || query.isFetching;
  const nothing = items.length === 0 || failure ? (failure ?? nothingFound) : '';

  return (
    <>
      <Combobox store={combobox} size="md">
        <Combobox.Target withExpandedAttribute>
          <TextInput
            {...field}
            ref={input}
            id={inputId}
            disabled={disabled}
            error={error}
            value={typed ?? current?.label ?? ''}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              combobox.resetSelectedOption();
              combobox.openDropdown();
            }}
            onClick={() => combobox.openDropdown()}
            onBlur={() => {
              setTyped(null);
              combobox.closeDropdown();
            }}
            {...(clearLabel !== undefined && chosen && !disabled
              ? {
                  rightSection: (
                    <Combobox.ClearButton
                      size="md"
                      aria-label={clearLabel}
                      aria-hidden={false}
                      tabIndex={0}
                      onClear={() => {
                        setTyped(null);
                        onChange(null);
                        // The button is gone with the choice.
                        input.current?.focus();
                      }}
                    />
                  ),
                }
              : {
                  rightSection: <Combobox.Chevron size="md" error={error} />,
                  rightSectionPointerEvents: 'none',
                })}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options labelledBy={`${inputId}-label`} className={styles.options}>
            <Options items={items} optionOf={optionOf} chosen={current?.value} onChoose={choose} />
            {/* No option, in a list that may hold nothing else for a screen reader: it is told below. */}
            {nothing && (
              <Combobox.Empty aria-hidden="true">{searching ? 'Ricerca in corso…' : nothing}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <span role="status" className="visually-hidden">
        {combobox.dropdownOpened && !searching && nothing}
      </span>
    </>
  );
}

type OptionsProps<Item> = {
  items: Item[];
  optionOf: (item: Item) => SearchOption;
  chosen: string | undefined;
  onChoose: (value: string) => void;
};

/** Plain elements, which the library's store finds by their attributes; rendered again only when they show something else. */
const Options = memoWithStableHandlers<OptionsProps<never>>(
  OptionList,
  (before, next) => before.chosen === next.chosen && shallowEqual(before.items, next.items),
) as unknown as typeof OptionList;

function OptionList<Item>({ items, optionOf, chosen, onChoose }: OptionsProps<Item>) {
  const id = useId();
  return items.map(optionOf).map(({ value, label, details }) => {
    const active = value === chosen;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and clicks what its keys have come to.
      <div
        key={value}
        id={`${id}-${value}`}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        className={`${Combobox.classes.option} ${styles.option}`}
        data-combobox-option
        data-combobox-active={active || undefined}
        data-detailed={details ? true : undefined}
        onClick={() => onChoose(value)}
      >
        <span className={styles.name}>{label}</span>
        {details && <span className={styles.details}>{details}</span>}
      </div>
    );
  });
}
