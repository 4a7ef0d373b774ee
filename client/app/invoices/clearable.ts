import type { SelectProps } from '@mantine/core';

/**
 * A select whose choice can be taken back with a button, also from the keyboard and by a screen reader.
 * @param label what taking the choice back leaves in sight
 */
export function clearable(label: string): Pick<SelectProps, 'clearable' | 'clearButtonProps'> {
  return { clearable: true, clearButtonProps: { 'aria-label': label, 'aria-hidden': false, tabIndex: 0 } };
}
