import { usePromptTick } from '#client/lib/use-prompt-tick.ts';
import styles from './row-checkbox.module.css';
import tick from './tick.module.css';

/**
 * The checkbox of a row, or of all rows, in a list that may be long: one plain element that changes at once. Mantine's
 * starts seven transitions per tick, each of which fires events when it starts and ends.
 * @param label accessible name
 * @param indeterminate some but not all of the rows are ticked
 */
export function RowCheckbox({
  label,
  checked,
  indeterminate = false,
  onChange,
}: {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const shown = usePromptTick(checked, onChange);
  return (
    <input
      {...shown}
      ref={(input) => {
        if (input) input.indeterminate = indeterminate && shown.checked === checked;
      }}
      type="checkbox"
      aria-label={label}
      className={`${tick.tick} ${styles.checkbox}`}
    />
  );
}
