import { Loader } from '@mantine/core';
import styles from './icon-button.module.css';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';

/** A button that is an icon; its name is for screen readers, and has to be given. While `loading` it is a spinner. */
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
