import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { InvoiceFields, UploadProgress } from '#client/app/invoices/invoice-fields.tsx';
import {
  emptyInvoice,
  formDataOf,
  type InvoiceValues,
  invoiceErrors,
} from '#client/app/invoices/invoice-form.ts';
import { type Attempt, attemptOf, contentOf } from '#client/lib/idempotency.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { toast } from '#client/ui/toast.ts';
import { adminInvoiceFormSchema } from '#contract/admin-invoices.ts';
import type { Customer } from '#contract/customers.ts';
import { INVOICE_TEXTS } from '#contract/invoices.ts';
import { createInvoice } from './api.ts';
import { CustomerProjectSelect, CustomerSelect } from './customer-select.tsx';

const PdfField = lazy(() => import('#client/app/invoices/pdf-field.tsx'));

/** The fields that are sent, without the file: of the customer, the id. */
function fieldsOf({
  customer,
  file: _,
  ...fields
}: { customer: Customer | null; file: File | null } & InvoiceValues) {
  return { userId: customer?.id ?? '', ...fields };
}

/** 'Crea Nuova Fattura' (spec §2, §3, §5). */
export function CreateInvoiceDialog({ onClose }: { onClose: () => void }) {
  const small = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const changed = useInvoicesChanged();
  const [part, setPart] = useState<number | null>(null);
  const form = useForm({
    initialValues: { customer: null as Customer | null, ...emptyInvoice(), file: null as File | null },
    validate: (values) => invoiceErrors(adminInvoiceFormSchema, fieldsOf(values)),
  });
  const attempt = useRef<Attempt | null>(null);
  const busy = form.submitting;
  const { customer } = form.values;

  async function submit(values: typeof form.values) {
    const { file } = values;
    if (file) setPart(0);
    try {
      const body = formDataOf(fieldsOf(values), file);
      attempt.current = attemptOf(contentOf(body), attempt.current);
      const invoice = await createInvoice(body, attempt.current, (sent) => file && setPart(sent));
      toast({ title: INVOICE_TEXTS.created, message: invoice.number });
      await changed();
      onClose();
    } finally {
      setPart(null);
    }
  }

  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title="Crea Nuova Fattura"
      size="lg"
      fullScreen={small}
      closeOnClickOutside={false}
      closeOnEscape={!busy}
    >
      <AppForm form={form} onSubmit={submit} label="Crea Nuova Fattura">
        <Stack>
          <CustomerSelect
            label="Utente"
            required
            data-autofocus
            disabled={busy}
            value={customer?.id ?? ''}
            chosen={customer}
            error={form.errors.userId}
            onChange={(chosen) => {
              form.setFieldValue('customer', chosen);
              form.setFieldValue('projectId', '');
              form.clearFieldError('userId');
            }}
          />
          <CustomerProjectSelect
            key={customer?.id}
            label="Progetto"
            required
            disabled={busy}
            customerId={customer?.id ?? ''}
            value={form.values.projectId}
            error={form.errors.projectId}
            onChange={(projectId) => form.setFieldValue('projectId', projectId)}
          />
          <InvoiceFields form={form} disabled={busy} />
          <Suspense fallback={<Skeleton height={120} />}>
            <PdfField
              label="File PDF"
              value={form.values.file}
              error={typeof form.errors.file === 'string' ? form.errors.file : null}
              disabled={busy}
              onChange={(chosen) => {
                form.setFieldValue('file', chosen);
                form.clearFieldError('file');
              }}
              onError={(message) => form.setFieldError('file', message)}
            />
          </Suspense>
          <UploadProgress part={part} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Annulla
            </Button>
            <Button type="submit" disabled={busy}>
              {busy ? 'Creazione...' : 'Crea Fattura'}
            </Button>
          </Group>
        </Stack>
      </AppForm>
    </Modal>
  );
}
