import { Button, Group } from '@mantine/core';
import { ActionButton } from './action-button.tsx';
import styles from './dialog-footer.module.css';

/** The buttons of a form that can be left without submitting. */
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
  /** Label of the second button while `busy`, instead of a spinner. */
  busyLabel?: string;
  destructive?: boolean;
  className?: string | undefined;
  onCancel: () => void;
}) {
  return (
    <Group justify="flex-end" className={`${styles.buttons} ${className ?? ''}`}>
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Annulla
      </Button>
      <ActionButton type="submit" busy={busy} label={label} busyLabel={busyLabel} destructive={destructive} />
    </Group>
  );
}
