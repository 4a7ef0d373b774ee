import { Loader } from '@mantine/core';
import styles from './icon-button.module.css';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';

/** A button with only an icon; the name for screen readers is required. While `loading` it shows a spinner. */
export function IconButton({
  tone,
  bordered = false,
  size,
  children,
  ...button
}: PlainButtonProps & {
  'aria-label': string;
  tone?: 'danger';
  bordered?: boolean;
  size?: 'large';
}) {
  return (
    <PlainButton
      {...button}
      base={styles.button}
      data-tone={tone}
      data-bordered={bordered || undefined}
      data-size={size}
    >
      {button.loading ? <Loader size={18} aria-hidden="true" /> : children}
    </PlainButton>
  );
}
