import type { ComponentProps, MouseEvent } from 'react';

/** Prevents the button's action and the form submission that Enter in a field triggers through it. */
function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A `<button>` that keeps the focus while `busy` but can neither be pressed nor submit its form. A disabled button
 * would lose the focus, and the next Tab could move behind an open dialog.
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
 * The element behind Mantine's Button, which Mantine disables while `loading`. Use `data-disabled` without `disabled`
 * for a button whose label says that it is busy or done.
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
