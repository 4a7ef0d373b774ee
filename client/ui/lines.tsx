import type { ReactNode } from 'react';

/** What is asked, and what was answered. */
export type Line = readonly [label: string, value: ReactNode];

/** Answers with their labels. `styles` says how they stand: the list and each line of it. */
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
