import { Button } from '@mantine/core';

/**
 * The button that does what a dialog is about. While it is `busy` it cannot be pressed, and says `busyLabel`, or turns a spinner
 * where there is none: the spinner would lie over any text.
 */
export function ActionButton({
  busy,
  label,
  busyLabel,
  destructive,
  ...button
}: {
  busy: boolean;
  label: string;
  busyLabel?: string;
  destructive: boolean;
  type?: 'submit';
  onClick?: () => void;
}) {
  const says = busyLabel !== undefined;
  return (
    <Button
      {...button}
      loading={busy && !says}
      data-disabled={busy && says}
      color={destructive ? 'red' : undefined}
    >
      {busy && says ? busyLabel : label}
    </Button>
  );
}
