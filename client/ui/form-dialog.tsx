import { type ComponentProps, useCallback, useMemo, useRef, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { useWayBack } from './leave-guard.tsx';
import { useLeaveWarnings, WarningHostContext } from './leave-warning.ts';

/**
 * What has the focus in a layer above the dialog, such as a calendar, which closes first. Esc reaches that by itself; the
 * library's dialog hears the key before that does.
 */
const focusInLayer = () => {
  const focused = document.activeElement;
  return focused?.closest('[data-own-escape]') ? focused : null;
};

/** Only while the dialog is open. */
function ClosedByBack({ onBack }: { onBack: () => void }) {
  useWayBack(onBack);
  return null;
}

/**
 * A dialog in which something is written. Esc, its closing button and the way back ask before what was written is lost
 * (`useLeaveWarning`); a press beside it does nothing, and while something is being sent neither do they (`useHeldOpen`). A
 * question that is open above it (`ConfirmDialog`) is closed before it.
 * @param onClose closes it without asking
 */
export function FormDialog({
  onClose,
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'closeOnClickOutside' | 'closeOnEscape'>) {
  const [warning, add] = useLeaveWarnings();
  const [asking, setAsking] = useState(false);
  const latest = useRef(onClose);
  latest.current = onClose;
  const holds = useRef(0);
  const hold = useCallback(() => {
    holds.current += 1;
    // What it asks about is being saved.
    setAsking(false);
    return () => {
      holds.current -= 1;
    };
  }, []);
  const questions = useRef<readonly (() => void)[]>([]);
  const ask = useCallback((closeQuestion: () => void) => {
    questions.current = [...questions.current, closeQuestion];
    return () => {
      questions.current = questions.current.filter((other) => other !== closeQuestion);
    };
  }, []);
  const host = useMemo(() => ({ add, hold, ask, close: () => latest.current() }), [add, hold, ask]);

  function close() {
    if (asking) return setAsking(false);
    const question = questions.current.at(-1);
    if (question) return question();
    if (holds.current > 0 || focusInLayer()) return;
    if (warning === null) return onClose();
    setAsking(true);
  }

  function goBack() {
    const focused = focusInLayer();
    if (!focused) return close();
    // A layer knows no other way to be closed from outside.
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  }

  return (
    <>
      <Dialog {...dialog} onClose={close} closeOnClickOutside={false}>
        <WarningHostContext value={host}>{children}</WarningHostContext>
        <ClosedByBack onBack={goBack} />
      </Dialog>
      <ConfirmDialog
        opened={asking}
        title={warning?.title ?? ''}
        cancelLabel="Torna indietro"
        confirmLabel={warning?.leave ?? ''}
        onClose={() => setAsking(false)}
        onConfirm={async () => onClose()}
      >
        {warning?.words}
      </ConfirmDialog>
    </>
  );
}
