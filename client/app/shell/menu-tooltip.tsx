import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

/** The name of an entry in icon mode. Loaded only there. */
export default function MenuTooltip({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right" withArrow events={{ hover: true, focus: true, touch: false }}>
      {children}
    </Tooltip>
  );
}
