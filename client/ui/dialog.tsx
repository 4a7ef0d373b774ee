import { Modal, type ModalProps } from '@mantine/core';
import { memo, useEffect, useRef } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { useCover } from './cover.ts';
import { noteDialog } from './opener.ts';
import { usePhone } from './use-phone.ts';

/** Left as it is while what the press asked for is `pending`: to render a form once more before it goes would be for nothing. */
const View = memo(
  ({ pending: _, ...props }: ModalProps & { pending: boolean }) => <Modal {...props} />,
  (_, next) => next.pending,
);

/**
 * Mantine's dialog, which gives the focus back however it was opened: by itself it does so only when it was there before it
 * was opened, and by something that is still there. What it holds may take longer to render than a frame, and to take away:
 * the press that opens or closes it is answered first.
 */
export function Dialog({
  fullScreenOnPhone = false,
  ...props
}: Omit<ModalProps, 'fullScreen'> & { fullScreenOnPhone?: boolean }) {
  const phone = usePhone();
  const opened = useAfterPaint(props.opened, false);
  useCover(opened);
  const from = useRef<Element>(null);
  // Before it is there: what it gives the focus to has it before its effects run.
  useEffect(() => {
    if (props.opened) from.current = document.activeElement;
  }, [props.opened]);
  useEffect(() => (opened ? noteDialog(from.current) : undefined), [opened]);
  return (
    <View
      {...props}
      fullScreen={fullScreenOnPhone && phone}
      opened={opened}
      pending={opened !== props.opened}
    />
  );
}
