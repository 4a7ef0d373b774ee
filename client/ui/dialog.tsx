import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';
import { useCover } from './cover.ts';
import { noteDialog } from './opener.ts';

/**
 * Mantine's dialog, which gives the focus back however it was opened: by itself it does so only when it was there before it
 * was opened, and by something that is still there.
 */
export function Dialog(props: ModalProps) {
  const { opened } = props;
  useCover(opened);
  useEffect(() => (opened ? noteDialog() : undefined), [opened]);
  return <Modal {...props} />;
}
