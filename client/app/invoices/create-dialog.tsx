import { Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useRef, useState } from 'react';
import { type Attempt, attemptOf, contentOf } from '#client/lib/idempotency.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { INVOICE_TEXTS, type Invoice, type InvoiceDraft } from '#contract/invoices.ts';
import type { z } from '#contract/validation.ts';
import { useInvoicesChanged } from './api.ts';
import { FormPdfField } from './form-pdf-field.tsx';
import { InvoiceFields, UploadProgress } from './invoice-fields.tsx';
import {
  formDataOf,
  INVOICE_FORM_NAMES,
  type InvoiceFieldTexts,
  invoiceErrors,
  type NewInvoiceValues,
} from './invoice-form.ts';
import { requireSendable } from './pdf-file.ts';

type CreateFormProps<Values extends NewInvoiceValues> = {
  title: string;
  initialValues: Values;
  /** The submitted fields, without the file. */
  fieldsOf: (values: Values) => InvoiceFieldTexts;
  /** Validates them. */
  schema: z.ZodType<InvoiceDraft>;
  /** Sends the form; rejects with ApiError or the text of spec §8. */
  create: (form: FormData, attempt: Attempt, onProgress: (part: number) => void) => Promise<Invoice>;
  onClose: () => void;
  /** The fields that determine whose invoice it is, before those of every invoice. */
  children: (form: UseFormReturnType<Values>, busy: boolean) => ReactNode;
};

/** A dialog that creates an invoice with its PDF (spec §2, §5). */
export function CreateDialog<Values extends NewInvoiceValues>(props: CreateFormProps<Values>) {
  const { title, onClose } = props;
  return (
    <FormDialog opened onClose={onClose} title={title} size="lg" fullScreenOnPhone>
      <CreateForm {...props} />
    </FormDialog>
  );
}

/** A separate component, so that the dialog around it is not rendered again with each choice. */
function CreateForm<Values extends NewInvoiceValues>({
  title,
  initialValues,
  fieldsOf,
  schema,
  create,
  onClose,
  children,
}: CreateFormProps<Values>) {
  const changed = useInvoicesChanged();
  const [part, setPart] = useState<number | null>(null);
  const form = useForm<Values>({
    initialValues,
    validate: (values) => invoiceErrors(schema, fieldsOf(values)),
  });
  const attempt = useRef<Attempt | null>(null);
  const busy = form.submitting;

  async function submit(values: Values) {
    const { file } = values;
    if (file) {
      await requireSendable(file);
      setPart(0);
    }
    try {
      const body = formDataOf(fieldsOf(values), file);
      attempt.current = attemptOf(contentOf(body), attempt.current);
      const invoice = await create(body, attempt.current, (sent) => file && setPart(sent)).catch(
        async (error: unknown) => {
          // The chosen customer or project may have been deleted.
          void changed();
          if (file) await requireSendable(file);
          throw error;
        },
      );
      await changed();
      toast({ title: INVOICE_TEXTS.created, message: invoice.number });
      onClose();
    } finally {
      setPart(null);
    }
  }

  return (
    <AppForm form={form} onSubmit={submit} label={title} names={INVOICE_FORM_NAMES}>
      <Stack>
        {children(form, busy)}
        <InvoiceFields form={form} disabled={busy} />
        <FormPdfField form={form} disabled={busy} />
        <UploadProgress part={part} />
        <FormFooter busy={busy} label="Crea Fattura" busyLabel="Creazione..." onCancel={onClose} />
      </Stack>
    </AppForm>
  );
}
