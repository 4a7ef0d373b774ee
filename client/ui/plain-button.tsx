import type { ComponentProps } from 'react';
import { BusyButton } from './busy-button.tsx';

/** The id of the words that say why the buttons of samples do nothing (`SamplesNote`). */
export const SAMPLES_ARE_FIXED = 'samples-are-fixed';

export type PlainButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  /** While its action is under way: it cannot be pressed again and keeps the focus. */
  loading?: boolean;
  /** Whether its record is a sample: it does nothing, but gets the focus, so that also by key one comes to learn why. */
  sample?: boolean;
};

/**
 * The base of the buttons in lists. A plain element, because a list has several per row and Mantine's button consists
 * of four elements with a dozen CSS variables each.
 * @param base the class of its kind; `className` is added to it
 */
export function PlainButton({
  base,
  loading = false,
  sample = false,
  disabled = false,
  className = '',
  ...button
}: PlainButtonProps & { base: string | undefined }) {
  return (
    <BusyButton
      {...button}
      className={`${base} ${className}`}
      busy={loading || sample}
      aria-busy={loading || undefined}
      aria-describedby={sample ? SAMPLES_ARE_FIXED : undefined}
      disabled={disabled && !loading}
      data-loading={loading || undefined}
      data-sample={sample || undefined}
    />
  );
}
