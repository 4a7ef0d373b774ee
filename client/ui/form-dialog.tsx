import { type ComponentProps, useCallback, useMemo, useRef, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveWarnings, WarningHostContext } from './leave-warning.ts';

/**
 * The focused element if it is in a layer above the dialog, such as a calendar, which has to close first. The layer
 * handles Esc itself, but Mantine's dialog receives the key before.
 */
const focusInLayer = () => {
  const focused = document.activeElement;
  return focused?.closest('[data-own-escape]') ? focused : null;
};

/**
 * A dialog with a form. Esc, the close button and the browser's back button ask before unsaved input is lost
 * (`useLeaveWarning`); they do nothing while the form is being submitted (`useKeepOpen`), and a click outside never
 * closes it. A `ConfirmDialog` open above it closes first.
 * @param onClose closes it without asking
 */
export function FormDialog({
  onClose,
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'onBack' | 'closeOnClickOutside' | 'closeOnEscape'>) {
  const [warning, add] = useLeaveWarnings();
  const [asking, setAsking] = useState(false);
  const latest = useRef(onClose);
  latest.current = onClose;
  const holds = useRef(0);
  const hold = useCallback(() => {
    holds.current += 1;
    // The input in question is being saved.
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
    // Esc is the only way to close a layer from outside.
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  }

  return (
    <>
      <Dialog {...dialog} onClose={close} onBack={goBack} closeOnClickOutside={false}>
        <WarningHostContext value={host}>{children}</WarningHostContext>
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
