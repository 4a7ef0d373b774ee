import { useId } from 'react';
import styles from './segments.module.css';

/**
 * A choice between a few short options side by side: radio buttons, operated with the arrow keys. Plain elements,
 * because Mantine's component measures each of its options after mounting, which causes another layout of the page.
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
