import type { ComponentProps } from 'react';
import { BusyButton } from './busy-button.tsx';

export type PlainButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  /** While what it began is under way: it cannot be pressed again, and keeps the focus. */
  loading?: boolean;
};

/**
 * What the buttons of lists have in common. A plain element: a list has several in each row, and the library's is four
 * elements and a dozen variables each.
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
