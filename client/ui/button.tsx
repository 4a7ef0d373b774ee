import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';

type Look = { variant?: 'accent' | 'primary' | 'outline' | 'onPetrol'; size?: 'small' | 'medium' };

function look({ variant = 'accent', size = 'medium' }: Look) {
  return `${styles.button} ${styles[variant]}${size === 'small' ? ` ${styles.small}` : ''}`;
}

/**
 * A button of the public site. It submits its form only with `type="submit"`.
 * @param busy shows that its action is under way; it keeps the focus, so the form itself must refuse a second
 *   submission
 */
export function Button({
  variant,
  size,
  busy,
  ...rest
}: Look & Omit<ComponentProps<'button'>, 'className'> & { busy?: boolean }) {
  return <button type="button" aria-disabled={busy} {...rest} className={look({ variant, size })} />;
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link data-prefetch="" {...rest} className={look({ variant, size })} />;
}
