import { Tooltip } from '@mantine/core';
import { type ReactElement, useRef, useState } from 'react';
import styles from './hint.module.css';

/**
 * What a control does, in words, for who points at it or comes to it by key; Esc takes the words away. The library's tooltip
 * is rendered only then: in a list, one for each row would take as long as the rows themselves.
 */
export function Hint({ label, children }: { label: string; children: ReactElement }) {
  const target = useRef<HTMLSpanElement>(null);
  /** Null until it is asked for. */
  const [shown, setShown] = useState<boolean | null>(null);
  const hide = () => setShown((now) => now && false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for what its control does
    <span
      ref={target}
      className={styles.target}
      // A finger does not point: it has pressed already.
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && setShown(true)}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && setShown(true)}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {children}
      {shown !== null && <Tooltip label={label} target={target} opened={shown} />}
    </span>
  );
}
