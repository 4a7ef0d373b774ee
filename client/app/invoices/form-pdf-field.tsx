import type { UseFormReturnType } from '@mantine/form';
import { lazy, Suspense } from 'react';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';

const PdfField = memoWithStableHandlers(lazy(() => import('./pdf-field.tsx')));

/** 'File PDF', the field `file` of a form. What it takes to drop a file is loaded with the first form that has one. */
export function FormPdfField<Values extends { file: File | null }>({
  form,
  required = false,
  disabled,
}: {
  form: Pick<UseFormReturnType<Values>, 'values' | 'errors' | 'getInputProps' | 'setFieldError'>;
  required?: boolean;
  disabled: boolean;
}) {
  const { file } = form.errors;
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <PdfField
        label="File PDF"
        required={required}
        disabled={disabled}
        value={form.values.file}
        error={typeof file === 'string' ? file : null}
        onChange={form.getInputProps('file').onChange}
        onError={(message) => form.setFieldError('file', message)}
      />
    </Suspense>
  );
}
