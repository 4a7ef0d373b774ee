import type { ReactNode } from 'react';

/** A label and its value. */
export type Line = readonly [label: string, value: ReactNode];

/** A list of values with their labels. `styles` sets the layout of the list and of each line. */
export function Lines({
  lines,
  styles,
}: {
  lines: readonly Line[];
  styles: { lines?: string; line?: string };
}) {
  return (
    <dl className={styles.lines}>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.line}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
