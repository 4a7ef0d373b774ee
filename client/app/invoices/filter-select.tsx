import { Combobox, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId } from 'react';
import { choiceSection } from '#client/ui/choice-section.tsx';
import { type SelectOption, SelectOptions } from '#client/ui/select-options.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { useTypeAhead } from '#client/ui/type-ahead.ts';
import { useChoice } from '#client/ui/use-choice.ts';

const optionOf = (choice: string | SelectOption): SelectOption =>
  typeof choice === 'string' ? { value: choice, label: choice } : choice;

/**
 * A select that filters or sorts a list. Built from Mantine's Combobox, because its Select does not respond to the
 * press until the list has been rendered. Memoized: pass a stable `data`, so that a choice in one filter does not
 * render the others.
 * @param clearLabel name of the button that clears the choice; without it, something is always chosen
 */
export const FilterSelect = memoWithStableHandlers(function FilterSelect({
  label,
  placeholder,
  data,
  value,
  onChange,
  clearLabel,
}: {
  label: string;
  placeholder?: string;
  data: readonly (string | SelectOption)[];
  value: string | null;
  onChange: (value: string | null) => void;
  clearLabel?: string;
}) {
  const inputId = useId();
  const {
    input,
    target,
    combobox,
    shown,
    choose,
    open,
    onKeyDown: settle,
    goTo,
  } = useChoice(value, onChange);
  const typeAhead = useTypeAhead();
  const options = data.map(optionOf);
  const chosen = options.findIndex((option) => option.value === shown);
  function onKeyDown(event: KeyboardEvent) {
    settle(event);
    const current = combobox.dropdownOpened ? combobox.getSelectedOptionIndex() : chosen;
    const typed = typeAhead(
      event,
      options.map(({ label: name }) => name),
      current,
    );
    if (typed !== -1) goTo(typed);
  }
  function take(taken: string) {
    if (taken !== shown) choose(taken);
    else if (clearLabel !== undefined) choose(null);
    else combobox.closeDropdown();
  }
  return (
    <Combobox store={combobox} size="md">
      <Combobox.Target targetType="button" withExpandedAttribute {...target}>
        <TextInput
          ref={input}
          id={inputId}
          label={label}
          placeholder={placeholder}
          readOnly
          pointer
          value={options[chosen]?.label ?? ''}
          onClick={combobox.dropdownOpened ? () => combobox.closeDropdown() : open}
          onKeyDown={onKeyDown}
          onBlur={() => combobox.closeDropdown()}
          {...choiceSection({
            clearLabel: shown === null ? undefined : clearLabel,
            input,
            onClear: () => choose(null),
          })}
        />
      </Combobox.Target>
      <SelectOptions
        labelledBy={`${inputId}-label`}
        items={data}
        optionOf={optionOf}
        chosen={shown ?? undefined}
        onChoose={take}
      />
    </Combobox>
  );
});
