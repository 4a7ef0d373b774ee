import styles from './progress-bar.module.css';

/**
 * How far something has come, in percent. A plain element, as a list has one or two in each row.
 * @param label what it is, for a screen reader; without one the figure has to stand beside it in words
 */
export function ProgressBar({
  value,
  label,
  tone,
  size,
  className,
}: {
  value: number;
  label?: string;
  tone?: 'green' | 'red';
  size?: 'small' | 'large';
  className?: string | undefined;
}) {
  const looks = {
    className: className ? `${styles.bar} ${className}` : styles.bar,
    'data-tone': tone,
    'data-size': size,
    children: <div className={styles.part} style={{ width: `${value}%` }} />,
  };
  if (label === undefined) return <div {...looks} aria-hidden="true" />;
  const now = Math.round(value);
  return (
    <div
      {...looks}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={now}
    />
  );
}
