import { Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import styles from './dialog-footer.module.css';
import { FormButtons } from './form-buttons.tsx';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** The buttons at the foot of a dialog's form; they stay visible however long the form is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={`${styles.footer} ${styles.buttons}`}>
      {children}
    </Group>
  );
}

/** A footer with the two buttons that most forms have. */
export const FormFooter = memoWithStableHandlers(function FormFooter(
  props: Omit<ComponentProps<typeof FormButtons>, 'className'>,
) {
  return <FormButtons {...props} className={styles.footer} />;
});
