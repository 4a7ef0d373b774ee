import styles from './progress-bar.module.css';

/**
 * Progress in percent. A plain element, because a list has one or two per row.
 * @param label accessible name, without the percentage, which is read after it; without a name, the figure has to be shown
 *   beside it as text
 * @param text read instead of the percentage that the bar shows
 */
export function ProgressBar({
  value,
  label,
  text,
  tone,
  size,
  className,
}: {
  value: number;
  label?: string;
  text?: string;
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
      aria-valuetext={text}
    />
  );
}
