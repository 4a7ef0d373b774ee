import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog-footer.module.css';

/** The buttons at the foot of a dialog's form: in sight however long the form is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={styles.footer}>
      {children}
    </Group>
  );
}
