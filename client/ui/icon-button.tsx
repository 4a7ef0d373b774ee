import { Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import styles from './icon-button.module.css';

/**
 * A button that is an icon; its name is for screen readers, and has to be given. A plain element: a list has several in each
 * row, and the library's brings a dozen variables of its own.
 * @param loading while what it began is under way: it cannot be pressed again
 */
export function IconButton({
  tone,
  bordered,
  size,
  loading = false,
  disabled = false,
  className,
  children,
  ...button
}: ComponentProps<'button'> & {
  'aria-label': string;
  tone?: 'danger';
  bordered?: boolean;
  size?: 'large';
  loading?: boolean;
}) {
  return (
    <button
      type="button"
      {...button}
      className={className ? `${styles.button} ${className}` : styles.button}
      disabled={disabled || loading}
      data-tone={tone}
      data-bordered={bordered || undefined}
      data-size={size}
      data-loading={loading || undefined}
    >
      {loading ? <Loader size={18} aria-hidden="true" /> : children}
    </button>
  );
}
