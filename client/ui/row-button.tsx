import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';
import styles from './row-button.module.css';

/** A text button for rows of lists. @param icon before the text; replaced by a spinner while `loading` */
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
