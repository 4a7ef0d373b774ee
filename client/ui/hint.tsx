import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import styles from './hint.module.css';
import { usePointedAt } from './pointed-at.ts';

/**
 * What a control does, in words, for who points at it or comes to it by key; Esc takes the words away. The library's tooltip
 * is rendered only then: in a list, one for each row would take as long as the rows themselves.
 */
export function Hint({ label, children }: { label: string; children: ReactElement }) {
  const { pointedAt, target, listeners } = usePointedAt<HTMLSpanElement>();
  return (
    <span ref={target} className={styles.target} {...listeners}>
      {children}
      {pointedAt !== null && <Tooltip label={label} target={target} opened={pointedAt} />}
    </span>
  );
}
