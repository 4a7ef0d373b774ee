import { useCallback, useState } from 'react';

/** A dialog about something: what it is about stays known while the dialog fades out. */
export type Dialog<Subject> = {
  opened: boolean;
  subject: Subject | undefined;
  open: (subject: Subject) => void;
  close: () => void;
};

/** The state of a dialog. */
export function useDialog<Subject>(): Dialog<Subject> {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | undefined }>({
    opened: false,
    subject: undefined,
  });
  const open = useCallback((subject: Subject) => setState({ opened: true, subject }), []);
  const close = useCallback(() => setState((now) => ({ ...now, opened: false })), []);
  return { ...state, open, close };
}
