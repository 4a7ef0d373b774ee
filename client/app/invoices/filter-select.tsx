import { Select, type SelectProps } from '@mantine/core';
import { useRef } from 'react';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';

/**
 * A choice that narrows or orders a list. Rendered again only when it shows something else, given the same `data` each time:
 * a choice in one filter does not render the others.
 * @param clearLabel what the button is called that takes the choice back, for the keyboard and screen readers, too; without it
 * something is chosen always
 */
export const FilterSelect = memoWithStableHandlers(function FilterSelect({
  clearLabel,
  ...select
}: Pick<SelectProps, 'label' | 'placeholder' | 'data' | 'value' | 'onChange'> & { clearLabel?: string }) {
  const field = useRef<HTMLInputElement>(null);
  return clearLabel === undefined ? (
    <Select {...select} allowDeselect={false} />
  ) : (
    <Select
      {...select}
      ref={field}
      clearable
      clearButtonProps={{
        'aria-label': clearLabel,
        'aria-hidden': false,
        tabIndex: 0,
        // The button goes with what it takes back.
        onClick: () => field.current?.focus(),
      }}
    />
  );
});
