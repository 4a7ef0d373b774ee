import type { Icon } from '@tabler/icons-react';
import styles from './badge.module.css';

/** Colours of the states (spec §4): blue under way, green done, orange to be acted upon, red late, gray neither. */
export type Tone = 'blue' | 'green' | 'orange' | 'red' | 'gray';

/**
 * A word or two about a record, beside it. A plain element: the library's brings twenty variables of its own, and a list has
 * one in each row.
 */
export function Badge({
  tone,
  icon: IconOf,
  outlined = false,
  children,
}: {
  tone: Tone;
  icon?: Icon;
  outlined?: boolean;
  children: string;
}) {
  return (
    <span className={styles.badge} data-tone={tone} data-outlined={outlined || undefined}>
      {IconOf && <IconOf size={14} stroke={2} aria-hidden="true" />}
      {children}
    </span>
  );
}
