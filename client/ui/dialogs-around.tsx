import { type ComponentType, createContext, type ReactNode, use } from 'react';
import { useDialog } from '#client/lib/use-dialog.ts';

/** The props of a list entry's dialogs: the subject (which dialog, with the entry as of opening) and the dialog's state. */
export type DialogAround<Subject> = Subject & { opened: boolean; onClose: () => void };

/**
 * Dialogs for the entries of a list, rendered outside the list: they stay open when their row disappears from a
 * refreshed, filtered list, and opening one does not render the list.
 * @param name as for `useDialog`
 * @param Dialogs renders the dialog that its subject names
 * @returns the component to wrap around the list, and a hook that returns a stable function to open a dialog
 */
export function dialogsAround<Subject extends object>(
  name: string,
  Dialogs: ComponentType<DialogAround<Subject>>,
) {
  const OpenDialog = createContext<(subject: Subject) => void>(() => {});

  function Around({ children }: { children: ReactNode }) {
    const { opened, subject, open, close } = useDialog<Subject>(name);
    return (
      <OpenDialog value={open}>
        {children}
        {subject && <Dialogs {...subject} opened={opened} onClose={close} />}
      </OpenDialog>
    );
  }

  return { Around, useOpenDialog: () => use(OpenDialog) };
}
