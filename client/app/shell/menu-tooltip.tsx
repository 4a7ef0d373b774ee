import { Tooltip, type TooltipProps } from '@mantine/core';

/** The name of an entry in icon mode. Loaded only there. */
export function MenuTooltip(props: Required<Pick<TooltipProps, 'label' | 'target' | 'opened'>>) {
  return <Tooltip {...props} position="right" withArrow />;
}
