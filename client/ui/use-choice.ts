import { type ComboboxStore, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
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
  const opening = usePostponed();
  const telling = usePostponed();
  const combobox: ComboboxStore = useCombobox({
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active', { scrollIntoView: true });
      onOpen?.();
    },
    onDropdownClose: () => combobox.resetSelectedOption(),
  });
  return {
    /** For the field. */
    input,
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
    /** For a press on the field. */
    open: () =>
      opening.postpone(() => {
        if (document.activeElement === input.current) combobox.openDropdown();
      }),
    /** For each key pressed in the field, because what it does may depend on the choice. */
    onKeyDown: telling.settle,
  };
}
