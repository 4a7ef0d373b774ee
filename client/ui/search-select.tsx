import { Combobox, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { choiceSection } from './choice-section.tsx';
import { type SelectOption, SelectOptions } from './select-options.tsx';
import { useChoice } from './use-choice.ts';

/** What a field shows that is made of this one. */
export type SearchFieldProps = Pick<
  TextInputProps,
  'label' | 'description' | 'required' | 'disabled' | 'placeholder' | 'error'
> & { 'data-autofocus'?: boolean };

type Props<Item, Answer, Found extends { items: Item[] }, Key extends QueryKey> = SearchFieldProps & {
  /** Asks for what a text finds; for the first ones where there is no text. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  optionOf: (item: Item) => SelectOption;
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
  const {
    input,
    combobox,
    shown,
    choose,
    open,
    onKeyDown: settle,
  } = useChoice(chosen, onChange, () => {
    if (query.isError) void query.refetch();
  });
  const current = shown && optionOf(shown);
  /** What is being looked for; null while the field shows what is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = typed?.trim() ?? '';
  const [sought] = useDebouncedValue(wanted, DEBOUNCE_MS);
  /** The options of the search before are not offered: nobody who types fast picks one of them. */
  const typing = sought !== wanted;
  const query = useQuery(queryOf(sought));
  const failure = query.error?.message;
  const found = typing ? [] : (query.data?.items ?? []);
  const missing = shown && wanted === '' && !found.some((item) => optionOf(item).value === current?.value);
  const items = missing ? [...found, shown] : found;

  function take(value: string) {
    setTyped(null);
    if (value === current?.value) combobox.closeDropdown();
    else choose(items.find((item) => optionOf(item).value === value) ?? null);
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
            onClick={open}
            onKeyDown={settle}
            onBlur={() => {
              setTyped(null);
              combobox.closeDropdown();
            }}
            {...choiceSection({
              clearLabel: shown && !disabled ? clearLabel : undefined,
              input,
              error,
              onClear: () => {
                setTyped(null);
                choose(null);
              },
            })}
          />
        </Combobox.Target>
        <SelectOptions
          labelledBy={`${inputId}-label`}
          items={items}
          optionOf={optionOf}
          chosen={current?.value}
          onChoose={take}
        >
          {/* No option, in a list that may hold nothing else for a screen reader: it is told below. */}
          {nothing && (
            <Combobox.Empty aria-hidden="true">{searching ? 'Ricerca in corso…' : nothing}</Combobox.Empty>
          )}
        </SelectOptions>
      </Combobox>
      <span role="status" className="visually-hidden">
        {combobox.dropdownOpened && !searching && nothing}
      </span>
    </>
  );
}
