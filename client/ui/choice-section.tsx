import { Combobox, type TextInputProps } from '@mantine/core';
import type { RefObject } from 'react';

/**
 * What stands at the end of a field with a list to choose from: the button that takes the choice back, for the keyboard and
 * screen readers, too, or the sign of the list.
 * @param clearLabel what the button is called; undefined where there is nothing to take back
 * @param input the field, which gets the focus when the button goes with the choice
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
