import { Tooltip } from '@mantine/core';
import { type ReactElement, useRef, useState } from 'react';
import styles from './hint.module.css';

/**
 * What a control does, in words, for who points at it. The library's tooltip is there only once the pointer has come near: in
 * a list, one for each row would take as long to render as the rows themselves.
 */
export function Hint({ label, children }: { label: string; children: ReactElement }) {
  const target = useRef<HTMLSpanElement>(null);
  const [wanted, setWanted] = useState(false);
  return (
    <span
      ref={target}
      className={styles.target}
      // A finger does not point: it has pressed already.
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && setWanted(true)}
    >
      {children}
      {wanted && <Tooltip label={label} target={target} />}
    </span>
  );
}
