import { type ComponentProps, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { type Loss, Losses } from './losses.ts';

/** What is open above the dialog, such as a calendar, closes first. The library's dialog hears the key before that does. */
const isInLayer = () => document.activeElement?.closest('[data-own-escape]') !== null;

/** The way back of the browser, or of a phone, closes the dialog instead of leaving the page under it. */
function ClosedByBack({ onBack }: { onBack: () => void }) {
  const blocker = useBlocker(({ historyAction }) => historyAction === 'POP');
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    blocker.reset();
    onBack();
  });
  return null;
}

/**
 * A dialog in which something is written. Esc, its closing button and the way back ask before what was written is lost
 * (`useLoss`); a press beside it does nothing, and while it is `busy` neither do they.
 * @param onClose closes it without asking
 */
export function FormDialog({
  busy = false,
  onClose,
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'closeOnClickOutside' | 'closeOnEscape'> & { busy?: boolean }) {
  const [losses] = useState(() => new Set<() => Loss | null>());
  const [asking, setAsking] = useState(false);
  const [loss, setLoss] = useState<Loss | null>(null);

  function close() {
    if (asking) return setAsking(false);
    if (busy || isInLayer()) return;
    const found = [...losses].map((look) => look()).find((entry) => entry !== null);
    if (!found) return onClose();
    setLoss(found);
    setAsking(true);
  }

  return (
    <>
      <Dialog {...dialog} onClose={close} closeOnClickOutside={false}>
        <Losses value={losses}>{children}</Losses>
        <ClosedByBack onBack={close} />
      </Dialog>
      <ConfirmDialog
        opened={asking}
        title={loss?.title ?? ''}
        cancelLabel="Torna indietro"
        confirmLabel="Chiudi"
        onClose={() => setAsking(false)}
        onConfirm={async () => onClose()}
      >
        {loss?.words}
      </ConfirmDialog>
    </>
  );
}
