import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog-footer.module.css';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** The buttons at the foot of a dialog's form: in sight however long the form is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={styles.footer}>
      {children}
    </Group>
  );
}

/** The foot of a form in a dialog: leave it, or send it with the button named `label`. */
export const FormFooter = memoWithStableHandlers(function FormFooter({
  busy,
  label,
  onCancel,
}: {
  busy: boolean;
  label: string;
  onCancel: () => void;
}) {
  return (
    <DialogFooter>
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Annulla
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </DialogFooter>
  );
});
