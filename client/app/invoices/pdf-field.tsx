import { Button, CloseButton, Group, Input, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconFileTypePdf, IconUpload } from '@tabler/icons-react';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { toast } from '#client/lib/toast.ts';
import { INVOICE_TEXTS } from '#contract/invoices.ts';
import { formatBytes } from './format-bytes.ts';
import styles from './pdf-field.module.css';
import { pdfFileProblem } from './pdf-file.ts';

/**
 * The buttons to remove and to choose a file replace each other when pressed, so the focus has to move to the new one.
 * @returns the ref of the button that is there, and a function to call when it is pressed
 */
function useFocusOnNewButton(value: File | null, autoFocus: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other button is there once the value is
  useEffect(() => {
    if (pressed.current && document.activeElement === document.body) button.current?.focus();
    pressed.current = false;
  }, [value]);

  // The code of this field may arrive after the dialog has given the focus to something else.
  useEffect(() => {
    if (autoFocus) button.current?.focus();
  }, [autoFocus]);

  const notePress = () => {
    pressed.current = true;
  };
  return [button, notePress] as const;
}

/** The file that was chosen, with the button that removes it. */
function ChosenFile({
  file,
  button,
  disabled,
  onRemove,
}: {
  file: File;
  button: Ref<HTMLButtonElement> | undefined;
  disabled: boolean;
  onRemove: () => void;
}) {
  return (
    <Group gap="sm" wrap="nowrap" className={styles.chosen}>
      <IconFileTypePdf size={28} stroke={1.5} aria-hidden="true" />
      <div className={styles.name}>
        <Text fw={600} truncate>
          {file.name}
        </Text>
        <Text size="sm" c="dimmed">
          {formatBytes(file.size)}
        </Text>
      </div>
      <CloseButton ref={button} aria-label={`Togli ${file.name}`} disabled={disabled} onClick={onRemove} />
    </Group>
  );
}

/** A PDF chosen by click or drop. Anything else is rejected at once, with the reason. */
export default function PdfField({
  label,
  value,
  error,
  required = false,
  autoFocus = false,
  disabled = false,
  onChange,
  onError,
}: {
  label: string;
  value: File | null;
  error?: string | null;
  required?: boolean;
  autoFocus?: boolean;
  disabled?: boolean;
  onChange: (file: File | null) => void;
  onError: (message: string) => void;
}) {
  const open = useRef<() => void>(null);
  const id = useId();
  const [button, notePress] = useFocusOnNewButton(value, autoFocus);
  /** The last refusal of a file. The button keeps the focus, so that nobody would hear of it. */
  const [refusal, setRefusal] = useState({ message: '', at: 0 });
  const isRefusal = error === refusal.message;
  /** Also for a file that cannot be sent any more. */
  const mayChoose = value === null || Boolean(error);

  async function choose([file]: File[]) {
    if (!file) return;
    notePress();
    const problem = await pdfFileProblem(file);
    if (problem) {
      onChange(null);
      onError(problem);
      setRefusal({ message: problem, at: Date.now() });
    } else {
      onChange(file);
      toast({ title: INVOICE_TEXTS.fileSelected, message: file.name });
    }
  }

  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label={label}
      description="Solo PDF, al massimo 10 MB"
      // A new element is announced even if it says the same again.
      error={isRefusal ? <span key={refusal.at}>{error}</span> : error}
      errorProps={isRefusal ? { role: 'alert' } : undefined}
      required={required}
      size="md"
    >
      <Dropzone
        className={styles.zone}
        data-wrong={Boolean(error)}
        my={4}
        multiple={false}
        disabled={disabled}
        // The button inside opens the file chooser; by default the drop zone captures every click.
        enablePointerEvents
        activateOnClick={false}
        activateOnKeyboard={false}
        openRef={open}
        tabIndex={-1}
        // A screen reader reads only the button inside, which does the same.
        inputProps={{ 'aria-label': label, 'aria-hidden': true }}
        onDrop={choose}
      >
        <Stack gap="sm">
          {value && (
            <ChosenFile
              file={value}
              button={mayChoose ? undefined : button}
              disabled={disabled}
              onRemove={() => {
                notePress();
                onChange(null);
              }}
            />
          )}
          {mayChoose && (
            <Group gap="sm" justify="center">
              <Button
                ref={button}
                variant="default"
                data-autofocus={autoFocus || undefined}
                disabled={disabled}
                leftSection={<IconUpload size={18} aria-hidden="true" />}
                aria-describedby={error ? `${id}-error ${id}-description` : `${id}-description`}
                aria-invalid={Boolean(error)}
                onClick={() => open.current?.()}
              >
                Scegli un PDF
              </Button>
              <Text c="dimmed" size="sm" className={styles.hint}>
                oppure trascinalo qui
              </Text>
            </Group>
          )}
        </Stack>
      </Dropzone>
    </Input.Wrapper>
  );
}
