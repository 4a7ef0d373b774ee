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
  /** Whether the arrow keys have come to an option since the list opened. */
  const [browsed, setBrowsed] = useState(false);
  const opening = usePostponed();
  const telling = usePostponed();
  const combobox: ComboboxStore = useCombobox({
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active', { scrollIntoView: true });
      onOpen?.();
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setBrowsed(false);
    },
  });
  return {
    /** For the field. */
    input,
    /**
     * For the target: Mantine's remembers the option that the keys came to before the list was last closed, which a screen
     * reader must not take for the one that Enter chooses now. Not undefined, which Mantine would ignore.
     */
    target: browsed ? {} : { 'aria-activedescendant': '' },
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
      if (key === 'ArrowDown' || key === 'ArrowUp') setBrowsed(true);
    },
  };
}
