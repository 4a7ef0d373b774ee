import { type ComboboxStore, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
import { usePostponed } from '#client/lib/use-postponed.ts';

/**
 * A field with a list to choose from, in which a press is answered before what it asks for is rendered: the list, and
 * whatever depends on what was chosen.
 * @param onChange told of a choice after the frame that shows it, or with the next key
 * @param onOpen told when the list is opened
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
    /** What was chosen last. */
    shown: picked ? picked.item : chosen,
    choose(item: Item) {
      combobox.closeDropdown();
      setPicked({ item });
      telling.postpone(() => {
        onChange(item);
        setPicked(null);
      });
    },
    /** For a press on the field. */
    open: () =>
      opening.postpone(() => {
        if (document.activeElement === input.current) combobox.openDropdown();
      }),
    /** For each key pressed in the field: where it leads may depend on what was chosen. */
    onKeyDown: telling.settle,
  };
}
