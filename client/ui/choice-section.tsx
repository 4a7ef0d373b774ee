import { Combobox, type TextInputProps } from '@mantine/core';
import type { RefObject } from 'react';

/**
 * The end of a field with a drop-down list: a button that clears the choice, also usable by keyboard and screen reader,
 * or the arrow icon.
 * @param clearLabel the button's name; undefined when there is nothing to clear
 * @param input the field, which gets the focus when the button disappears
 */
export function choiceSection({
  clearLabel,
  input,
  error,
  onClear,
}: {
  clearLabel: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  error?: TextInputProps['error'];
  onClear: () => void;
}): Pick<TextInputProps, 'rightSection' | 'rightSectionPointerEvents'> {
  if (clearLabel === undefined) {
    return {
      rightSection: <Combobox.Chevron size="md" error={error} />,
      rightSectionPointerEvents: 'none',
    };
  }
  return {
    rightSection: (
      <Combobox.ClearButton
        size="md"
        aria-label={clearLabel}
        aria-hidden={false}
        tabIndex={0}
        onClear={() => {
          onClear();
          input.current?.focus();
        }}
      />
    ),
  };
}
