import { Button, Group } from '@mantine/core';

/** The buttons of a form that can be left without sending it. */
export function FormButtons({
  busy,
  label,
  busyLabel,
  destructive = false,
  className,
  onCancel,
}: {
  busy: boolean;
  label: string;
  /** What the second one says while it is `busy`, in the place of a spinner. */
  busyLabel?: string;
  destructive?: boolean;
  className?: string | undefined;
  onCancel: () => void;
}) {
  return (
    <Group justify="flex-end" className={className}>
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Annulla
      </Button>
      <Button
        type="submit"
        loading={busy && busyLabel === undefined}
        disabled={busy && busyLabel !== undefined}
        color={destructive ? 'red' : undefined}
      >
        {busy && busyLabel !== undefined ? busyLabel : label}
      </Button>
    </Group>
  );
}
