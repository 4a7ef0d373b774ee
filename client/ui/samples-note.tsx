import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SAMPLES_ARE_FIXED } from './plain-button.tsx';

/**
 * A note above samples, which a list shows while the account has no records of its own (spec §3).
 * @param title that there are none, or what is shown instead
 * @param fixed whether to say that their buttons do nothing, for samples that have any
 */
export function SamplesNote({
  title,
  fixed = false,
  children,
}: {
  title: string;
  fixed?: boolean;
  children?: ReactNode;
}) {
  return (
    <Alert mb="md" title={title} icon={<IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />}>
      {children} {fixed && <span id={SAMPLES_ARE_FIXED}>Gli esempi non si modificano né si eliminano.</span>}
    </Alert>
  );
}
