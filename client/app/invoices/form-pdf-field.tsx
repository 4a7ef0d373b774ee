import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { late } from '#client/ui/late.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';

const PdfField = memoWithStableHandlers(late(() => import('./pdf-field.tsx'), <Skeleton height={120} />));

/** 'File PDF', the field `file` of a form. The code for dropping files is loaded with the first form that has one. */
export function FormPdfField<Values extends { file: File | null }>({
  form,
  required = false,
  autoFocus = false,
  disabled,
}: {
  form: Pick<UseFormReturnType<Values>, 'values' | 'errors' | 'getInputProps' | 'setErrors'>;
  required?: boolean;
  /** Whether it gets the focus when it appears. */
  autoFocus?: boolean;
  disabled: boolean;
}) {
  const [missing, setMissing] = useState(false);
  const { file } = form.errors;
  if (missing) {
    return (
      <Group justify="space-between" gap="sm">
        <Text>Il campo del file PDF non si è caricato.</Text>
        <Button variant="default" onClick={() => setMissing(false)}>
          Riprova
        </Button>
      </Group>
    );
  }
  return (
    <PdfField
      onMissing={() => setMissing(true)}
      label="File PDF"
      required={required}
      autoFocus={autoFocus}
      disabled={disabled}
      value={form.values.file}
      error={typeof file === 'string' ? file : null}
      onChange={form.getInputProps('file').onChange}
      // Not setFieldError, which ignores a message that the same press cleared: that of the previous wrong file.
      onError={(message) => form.setErrors((errors) => ({ ...errors, file: message }))}
    />
  );
}
