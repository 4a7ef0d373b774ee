import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/**
 * A note above samples, which a list shows while the account has no records of its own (spec §3).
 * @param title that there are none
 */
export function SamplesNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert mb="md" title={title} icon={<IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />}>
      {children}
    </Alert>
  );
}
