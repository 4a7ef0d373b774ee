import { type ComponentType, createContext, type ReactNode, use } from 'react';
import { useDialog } from '#client/lib/use-dialog.ts';

/** What is given to the dialogs about an entry: which of them, and the entry as it was when it was opened, beside how it stands. */
export type DialogAround<Subject> = Subject & { opened: boolean; onClose: () => void };

/**
 * The dialogs about the entries of a list, which stand around it: they stay when their row leaves a filtered list that is read
 * again. Opening one does not render the list.
 * @param name as of `useDialog`
 * @param Dialogs shows the one that its subject names
 * @returns what stands around the list, and what opens one from below it, the same function each time
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
