import { startTransition, useCallback } from 'react';
import { useKeptState } from './kept-forms.ts';

/** A dialog about a subject. */
export type Dialog<Subject> = {
  opened: boolean;
  /** The subject, or the last one while closed. */
  subject: Subject | undefined;
  open: (subject: Subject) => void;
  close: () => void;
};

/**
 * The state of a dialog. A dialog closed by a lost session is open again after the login. Opening and closing respond
 * to the press before the list around it is rendered again.
 * @param name unique within a page
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
