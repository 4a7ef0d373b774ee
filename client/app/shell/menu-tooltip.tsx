import { Tooltip, type TooltipProps } from '@mantine/core';

/** The name of a menu entry in icon mode. Only loaded there. */
export function MenuTooltip(props: Required<Pick<TooltipProps, 'label' | 'target' | 'opened'>>) {
  return <Tooltip {...props} position="right" withArrow interactive />;
}
