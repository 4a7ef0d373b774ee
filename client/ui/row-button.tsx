import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';
import styles from './row-button.module.css';

/**
 * A button with words, for the rows of lists.
 * @param icon before the words; while `loading` a spinner stands in its place
 */
export function RowButton({
  look,
  icon,
  children,
  ...button
}: PlainButtonProps & { look: 'filled' | 'danger'; icon?: ReactNode }) {
  return (
    <PlainButton {...button} base={styles.button} data-look={look}>
      {button.loading ? <Loader size={16} color="currentcolor" aria-hidden="true" /> : icon}
      {children}
    </PlainButton>
  );
}
