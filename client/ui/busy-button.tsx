import type { ComponentProps, MouseEvent } from 'react';

/** Neither what the button does nor the submission of its form, which Enter in a field asks for through it, too. */
function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A `<button>` that keeps the focus while it is `busy`: it cannot be pressed, nor its form be sent. A disabled one would
 * leave the focus to nothing, from where the next Tab goes behind a dialog.
 */
export function BusyButton({
  busy,
  type = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  if (!busy) return <button {...button} type={type} />;
  return <button {...button} type={type} aria-disabled="true" onClick={refuse} />;
}

/**
 * What Mantine's Button is rendered as: it is disabled by the library also while it is `loading`. `data-disabled` without
 * `disabled` is for one whose words say that it is busy, or has done what it was for.
 */
export function MantineButtonRoot({
  disabled = false,
  ...button
}: ComponentProps<'button'> & { 'data-loading'?: boolean; 'data-disabled'?: boolean }) {
  const loading = button['data-loading'] === true;
  const busy = loading || (!disabled && button['data-disabled'] === true);
  return (
    <BusyButton {...button} busy={busy} aria-busy={loading || undefined} disabled={disabled && !loading} />
  );
}
