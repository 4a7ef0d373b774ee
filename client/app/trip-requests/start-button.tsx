import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { type Draft, useTripRequestDraft } from './draft.ts';

/** Opens the wizard with what `begin` returns, after asking whether to replace an unsent request. */
export function StartButton({
  icon: IconOf,
  label,
  loss,
  begin,
  children,
}: {
  icon: Icon;
  /** The accessible name, if not `children`. */
  label?: string;
  /** Says that the unsent request is lost. */
  loss: string;
  begin: () => Draft;
  children: string;
}) {
  const navigate = useNavigate();
  const draft = useTripRequestDraft();
  const [asking, setAsking] = useState(false);
  const [opening, setOpening] = useState(false);
  async function start() {
    // Otherwise a second press would ask whether to replace what the first one has begun.
    setOpening(true);
    await new Promise<void>((painted) => {
      afterPaint(painted);
    });
    draft.keep(begin());
    await navigate('/app/nuova-trasferta');
    setOpening(false);
  }
  return (
    <>
      <Button
        variant="default"
        aria-label={label}
        loading={opening}
        leftSection={<IconOf size={18} aria-hidden="true" />}
        onClick={() => (draft.isKept() ? setAsking(true) : start())}
      >
        {children}
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Sostituire la richiesta non inviata?"
        confirmLabel="Sostituisci"
        onConfirm={start}
        onClose={() => setAsking(false)}
      >
        {loss}
      </ConfirmDialog>
    </>
  );
}
