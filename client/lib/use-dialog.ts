import { startTransition, useCallback } from 'react';
import { useKeptState } from './kept-forms.ts';

/** A dialog about something. */
export type Dialog<Subject> = {
  opened: boolean;
  /** What it is about, or was when it was last open. */
  subject: Subject | undefined;
  open: (subject: Subject) => void;
  close: () => void;
};

/**
 * The state of a dialog. One that a lost session closed is open again after the login. The press that opens or closes it is
 * answered before the list around it is rendered again.
 * @param name one per page
 */
export function useDialog<Subject>(name: string): Dialog<Subject> {
  const [state, setState] = useKeptState<{ opened: boolean; subject: Subject | undefined }>(name, {
    opened: false,
    subject: undefined,
  });
  const open = useCallback(
    (subject: Subject) => startTransition(() => setState({ opened: true, subject })),
    [setState],
  );
  const close = useCallback(
    () => startTransition(() => setState((now) => ({ ...now, opened: false }))),
    [setState],
  );
  return { ...state, open, close };
}
