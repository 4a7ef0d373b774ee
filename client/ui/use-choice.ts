import { type ComboboxStore, useCombobox } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { usePostponed } from '#client/lib/use-postponed.ts';

/**
 * A field with a drop-down list, which shows a press before rendering its consequences: the list, or whatever depends
 * on the choice.
 * @param onChange called with a choice, and the list closed, after the frame that shows it, or on the next key press
 * @param onOpen called when the list opens
 */
export function useChoice<Item>(chosen: Item, onChange: (item: Item) => void, onOpen?: () => void) {
  const input = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState<{ item: Item } | null>(null);
  /** The id of the option that typed letters have come to, '' for none, null for the one that the arrow keys have. */
  const [active, setActive] = useState<string | null>('');
  const opening = usePostponed();
  const telling = usePostponed();
  const combobox: ComboboxStore = useCombobox({
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active', { scrollIntoView: true });
      onOpen?.();
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setActive('');
    },
  });
  return {
    /** For the field. */
    input,
    /**
     * For the target: Mantine's remembers the option that the keys came to before the list was last closed, which a screen
     * reader must not take for the one that Enter chooses now. Not undefined, which Mantine would ignore.
     */
    target: active === null ? {} : { 'aria-activedescendant': active },
    combobox,
    /** The latest choice. */
    shown: picked ? picked.item : chosen,
    choose(item: Item) {
      setPicked({ item });
      telling.postpone(() => {
        combobox.closeDropdown();
        onChange(item);
        setPicked(null);
      });
    },
    /** For a press on the field, or a letter in it. */
    open: () =>
      opening.postpone(() => {
        if (document.activeElement === input.current) combobox.openDropdown();
      }),
    /** For each key pressed in the field, because what it does may depend on the choice and on whether the list is open. */
    onKeyDown({ key }: KeyboardEvent) {
      opening.settle();
      telling.settle();
      if (key === 'ArrowDown' || key === 'ArrowUp') setActive(null);
    },
    /** Comes to the option with this index, as the arrow keys do; opens the list for it. */
    goTo(index: number) {
      combobox.openDropdown();
      setActive(combobox.selectOption(index) ?? '');
      // After `onDropdownOpen`, which comes to the chosen one.
      combobox.updateSelectedOptionIndex('selected', { scrollIntoView: true });
    },
  };
}
