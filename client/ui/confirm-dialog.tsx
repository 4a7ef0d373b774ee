import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { isGone, toastGone } from '#client/lib/failures.ts';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';
import { useQuestionAbove } from './leave-warning.ts';

/**
 * Asks once before something that cannot be undone. `children` names the thing. The focus starts on what leaves all as it is; while
 * `onConfirm` is pending nothing can be pressed twice; its failure is shown in place and the dialog stays, unless what it is
 * about has gone.
 */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Annulla',
  destructive = true,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** What the button says while `onConfirm` is pending, in the place of a spinner. */
  busyLabel?: string;
  /** Where 'Annulla' could mean what is asked about. */
  cancelLabel?: string;
  destructive?: boolean;
  /** What is confirmed; the dialog closes once it resolves. */
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
      onClose={close}
      title={title}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy && !closedFromBelow}
    >
      <Stack>
        <div>{children}</div>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
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
