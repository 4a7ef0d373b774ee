import { Loader } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import styles from './row-button.module.css';

/**
 * A button with words, for the rows of lists. A plain element: a list has dozens of them, and the library's is four elements
 * and a dozen variables each.
 * @param icon before the words; while `loading` a spinner stands in its place
 * @param loading while what it began is under way: it cannot be pressed again
 */
export function RowButton({
  look,
  icon,
  loading = false,
  disabled = false,
  className,
  children,
  ...button
}: ComponentProps<'button'> & { look: 'filled' | 'danger'; icon?: ReactNode; loading?: boolean }) {
  return (
    <button
      type="button"
      {...button}
      className={className ? `${styles.button} ${className}` : styles.button}
      disabled={disabled || loading}
      data-look={look}
      data-loading={loading || undefined}
    >
      {loading ? <Loader size={16} color="currentcolor" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}
