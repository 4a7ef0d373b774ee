import { Button } from '@mantine/core';

/**
 * The main button of a dialog. While `busy` it cannot be pressed and shows `busyLabel`, or a spinner without one,
 * because the spinner would cover the label.
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
