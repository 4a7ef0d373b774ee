import type { Icon } from '@tabler/icons-react';
import styles from './badge.module.css';

/** Colours of states (spec §4): blue under way, green done, orange needs action, red late, gray anything else. */
export type Tone = 'blue' | 'green' | 'orange' | 'red' | 'gray';

/**
 * A word or two about a record. A plain element, because Mantine's badge sets twenty CSS variables, and a list has one
 * per row.
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
