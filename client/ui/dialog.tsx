import { Modal, type ModalProps } from '@mantine/core';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { useCover } from './cover.ts';
import { useDescription } from './description.tsx';
import styles from './dialog.module.css';
import { noteDialog } from './opener.ts';
import { usePhone } from './use-phone.ts';
import { ClosedByBack } from './way-back.tsx';

/**
 * Not rendered while opening or closing is `pending`, so that a form is not rendered once more just before it
 * disappears, nor while it is closed, together with the page around it.
 */
const View = memo(
  ({ pending: _, ...props }: ModalProps & { pending: boolean }) => <Modal {...props} />,
  (before, next) => next.pending || !(before.opened || next.opened),
);

/**
 * Selects the content of a field that Tab leads to, so that typing replaces it, as the browser does. In a dialog Mantine
 * moves the focus itself, which selects nothing.
 */
function selectContent(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || !event.defaultPrevented) return;
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field !== event.target) field.select();
}

/**
 * Mantine's dialog with a reliable return of focus: Mantine's own depends on the dialog being mounted before opening and on
 * its opener still existing, and takes the focus away from a dialog that this one leads to. Opening and closing are deferred
 * to after the next paint, because the content may take longer than a frame to render or remove. The browser's or phone's
 * back button closes it instead of leaving the page.
 * @param question shown above `children`, and read by a screen reader on opening
 * @param onBack what the back button does, if not the same as `onClose`
 */
export function Dialog({
  fullScreenOnPhone = false,
  question,
  onBack,
  children,
  ...props
}: Omit<ModalProps, 'fullScreen' | 'classNames' | 'id' | 'attributes'> & {
  fullScreenOnPhone?: boolean;
  question?: ReactNode;
  onBack?: () => void;
}) {
  const phone = usePhone();
  const { id, attributes, description } = useDescription(question);
  const opened = useAfterPaint(props.opened, false);
  useCover(opened);
  const from = useRef<Element>(null);
  // Read before the dialog is mounted, because its content takes the focus before its effects run.
  useEffect(() => {
    if (props.opened) from.current = document.activeElement;
  }, [props.opened]);
  useEffect(() => (opened ? noteDialog(from.current) : undefined), [opened]);
  useEffect(() => {
    if (!opened) return;
    // On the window, which hears of a key after the document, where Mantine listens.
    window.addEventListener('keydown', selectContent);
    return () => window.removeEventListener('keydown', selectContent);
  }, [opened]);
  return (
    <>
      {props.opened && <ClosedByBack onBack={onBack ?? props.onClose} />}
      <View
        {...props}
        id={id}
        attributes={attributes}
        classNames={styles}
        fullScreen={fullScreenOnPhone && phone}
        opened={opened}
        pending={opened !== props.opened}
      >
        {description}
        {children}
      </View>
    </>
  );
}
