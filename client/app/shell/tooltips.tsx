import { getDefaultZIndex, Tooltip, type TooltipProps } from '@mantine/core';

type Props = Required<Pick<TooltipProps, 'label' | 'target' | 'opened'>>;

/** The name of a menu entry in icon mode. Only loaded there. */
export function MenuTooltip(props: Props) {
  return <Tooltip {...props} position="right" withArrow interactive />;
}

/** The name of a button with an icon alone, which may contain that of a record. Only loaded once one is pointed at. */
export function ButtonTooltip(props: Props) {
  return (
    <Tooltip
      {...props}
      multiline
      maw="min(22rem, 90vw)"
      style={{ overflowWrap: 'anywhere' }}
      // Above the search, which is above all else.
      zIndex={getDefaultZIndex('max') + 1}
      interactive
    />
  );
}
