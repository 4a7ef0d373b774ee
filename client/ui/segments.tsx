import { useId } from 'react';
import styles from './segments.module.css';

/**
 * One of a few short choices, side by side: radio buttons, moved through with the arrow keys. Plain elements: the library's
 * measures each of its own once the page is there, and the page is laid out anew for it.
 * @param label what is chosen, for screen readers
 */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChange,
  className = '',
}: {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={`${styles.segments} ${className}`}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
