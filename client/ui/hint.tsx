import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import styles from './hint.module.css';
import { usePointedAt } from './pointed-at.ts';

/**
 * Explains a control in words on hover or keyboard focus; Esc hides them. Mantine's tooltip is rendered only then,
 * because in a list one per row would take as long to render as the rows themselves.
 */
export function Hint({ label, children }: { label: string; children: ReactElement }) {
  const { pointedAt, target, listeners } = usePointedAt<HTMLSpanElement>();
  return (
    <span ref={target} className={styles.target} {...listeners}>
      {children}
      {pointedAt !== null && <Tooltip label={label} target={target} opened={pointedAt} interactive />}
    </span>
  );
}
