import type { ReactNode } from 'react';
import styles from './lines.module.css';
import { Skeleton } from './skeleton.tsx';

/** A label and its value. */
export type Line = readonly [label: string, value: ReactNode];

/**
 * A list of values with their labels, separated by rules.
 * @param look 'long-labels' gives them more space, and their own line on a phone; 'compact' has no rules and bold values
 */
export function Lines({ lines, look }: { lines: readonly Line[]; look?: 'long-labels' | 'compact' }) {
  return (
    <dl className={styles.lines} data-look={look}>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.line}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The shape of `count` lines while they load. */
export function LinesSkeleton({ count }: { count: number }) {
  return (
    <div className={styles.lines}>
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content have no other identity
        <div key={line} className={styles.line}>
          <Skeleton height={14} width="80%" margin="5px 0" />
          <Skeleton height={14} width={`${50 + ((line * 17) % 30)}%`} margin="5px 0" />
        </div>
      ))}
    </div>
  );
}
