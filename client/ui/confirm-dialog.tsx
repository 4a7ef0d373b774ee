import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { isGone, toastGone } from '#client/lib/failures.ts';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './dialog-footer.module.css';
import { useQuestionAbove } from './leave-warning.ts';

/**
 * Asks for confirmation of something irreversible; `children` names the object. The focus starts on the button that
 * changes nothing, or before it on the `field`, which would be missed otherwise. While `onConfirm` is pending nothing can be
 * pressed again. A failure is shown in place and keeps the dialog open, unless the object no longer exists.
 */
export function ConfirmDialog({
  opened,
  lang,
  title,
  children,
  field,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Annulla',
  destructive = true,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  /** If not Italian. */
  lang?: string | undefined;
  title: string;
  children: ReactNode;
  /** What may be entered before confirming; it has `data-autofocus`. */
  field?: ReactNode;
  confirmLabel: string;
  /** The button's label while `onConfirm` is pending, instead of a spinner. */
  busyLabel?: string;
  /** For questions where 'Annulla' could be mistaken for the action. */
  cancelLabel?: string | undefined;
  destructive?: boolean;
  /** The confirmed action; the dialog closes once it resolves. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (opened) setFailure(null);
  }, [opened]);

  function close() {
    if (!busy) onClose();
  }
  const closedFromBelow = useQuestionAbove(opened, close);

  async function confirm() {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      if (isGone(error)) {
        toastGone(error);
        onClose();
      } else {
        setFailure(error instanceof Error ? error.message : String(error));
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      opened={opened}
      lang={lang}
      onClose={close}
      title={title}
      question={children}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy && !closedFromBelow}
    >
      <Stack mt="md">
        {field}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end" className={styles.buttons}>
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus={field === undefined}>
            {cancelLabel}
          </Button>
          <ActionButton
            busy={busy}
            label={confirmLabel}
            busyLabel={busyLabel}
            destructive={destructive}
            onClick={confirm}
          />
        </Group>
      </Stack>
    </Dialog>
  );
}
