import { Combobox, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { counted } from '#client/lib/words.ts';
import { choiceSection } from './choice-section.tsx';
import { requiredByAria } from './required.ts';
import { type SelectOption, SelectOptions } from './select-options.tsx';
import { useChoice } from './use-choice.ts';

/** The props of the field itself. */
export type SearchFieldProps = Pick<
  TextInputProps,
  'label' | 'description' | 'required' | 'disabled' | 'placeholder' | 'error'
> & { 'data-autofocus'?: boolean };

type Props<Item, Answer, Found extends { items: Item[] }, Key extends QueryKey> = SearchFieldProps & {
  /** The query for the items that match a text; without text, for the first ones. */
  queryOf: (search: string) => UseQueryOptions<Answer, Error, Found, Key>;
  optionOf: (item: Item) => SelectOption;
  chosen: Item | null;
  onChange: (item: Item | null) => void;
  /**
   * Shown when nothing matches. A failed search shows its own message, and is retried when the list is opened again.
   */
  nothingFound: string;
  /** Name of the button that clears the choice; without it, the choice can only be changed. */
  clearLabel?: string;
};

/**
 * A choice among items that are searched on the server, because there may be more than a list can hold. Enter takes the
 * first item found, and Tab the only one, so that somebody who types names and leaves the field does not lose them.
 * Built from Mantine's Combobox, because its Select renders all options on each letter and the field on each choice.
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
    target,
    combobox,
    shown,
    choose,
    open,
    onKeyDown: settle,
  } = useChoice(chosen, onChange, () => {
    if (query.isError) void query.refetch();
  });
  const current = shown && optionOf(shown);
  /** The search text; null while the field shows the chosen item. */
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = typed?.trim() ?? '';
  const { query, found, searching } = useFound<Item, Answer, Found, Key>(queryOf, wanted);
  const failure = query.error?.message;
  const missing = shown && wanted === '' && !found.some((item) => optionOf(item).value === current?.value);
  const items = missing ? [...found, shown] : found;

  function take(value: string) {
    setTyped(null);
    if (value === current?.value) combobox.closeDropdown();
    else choose(items.find((item) => optionOf(item).value === value) ?? null);
  }

  const nothing = items.length === 0 || failure ? (failure ?? nothingFound) : '';
  const first = wanted === '' ? undefined : found.at(0);
  const answered = first !== undefined && combobox.dropdownOpened;
  const { selectFirstOption } = combobox;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items have another first one.
  useEffect(() => {
    if (answered) selectFirstOption();
  }, [answered, query.data, selectFirstOption]);

  function onKeyDown(event: KeyboardEvent) {
    if (wanted !== '' && !event.nativeEvent.isComposing) {
      // Nothing is found yet: the form is not sent without the choice that is being typed.
      if (event.key === 'Enter' && !first) event.preventDefault();
      if (event.key === 'Tab' && first && found.length === 1) take(optionOf(first).value);
    }
    settle(event);
  }

  function announcement(): string {
    if (!combobox.dropdownOpened || searching) return '';
    if (nothing || !first) return nothing;
    return `${counted(found.length, 'risultato', 'risultati')}, Invio sceglie ${optionOf(first).label}`;
  }

  return (
    <>
      <Combobox store={combobox} size="md">
        <Combobox.Target withExpandedAttribute {...target}>
          <TextInput
            {...requiredByAria(field)}
            ref={input}
            id={inputId}
            disabled={disabled}
            error={error}
            value={typed ?? current?.label ?? ''}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              // A space at the end, as the keyboards of phones add, does not search anew.
              if (currentTarget.value.trim() !== wanted) combobox.resetSelectedOption();
              if (!combobox.dropdownOpened) open();
            }}
            onClick={open}
            onKeyDown={onKeyDown}
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
          {/* Not an option, because a screen reader expects only options in the list; the text is announced below. */}
          {nothing && (
            <Combobox.Empty aria-hidden="true">{searching ? 'Ricerca in corso…' : nothing}</Combobox.Empty>
          )}
        </SelectOptions>
      </Combobox>
      <span role="status" className="visually-hidden">
        {announcement()}
      </span>
    </>
  );
}

/**
 * What matches a text, searched once typing pauses. Nothing is found until then, so that fast typists do not pick an item
 * of the previous search.
 */
function useFound<Item, Answer, Found extends { items: Item[] }, Key extends QueryKey>(
  queryOf: Props<Item, Answer, Found, Key>['queryOf'],
  wanted: string,
) {
  const [sought] = useDebouncedValue(wanted, DEBOUNCE_MS);
  const typing = sought !== wanted;
  const query = useQuery(queryOf(sought));
  return { query, found: typing ? [] : (query.data?.items ?? []), searching: typing || query.isFetching };
}
