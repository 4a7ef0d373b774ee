import type { ComponentProps } from 'react';
import { BusyButton } from './busy-button.tsx';

export type PlainButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  /** While its action is under way: it cannot be pressed again and keeps the focus. */
  loading?: boolean;
};

/**
 * The base of the buttons in lists. A plain element, because a list has several per row and Mantine's button consists
 * of four elements with a dozen CSS variables each.
 * @param base the class of its kind; `className` is added to it
 */
export function PlainButton({
  base,
  loading = false,
  disabled = false,
  className = '',
  ...button
}: PlainButtonProps & { base: string | undefined }) {
  return (
    <BusyButton
      {...button}
      className={`${base} ${className}`}
      busy={loading}
      aria-busy={loading || undefined}
      disabled={disabled && !loading}
      data-loading={loading || undefined}
    />
  );
}
