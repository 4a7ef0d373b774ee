import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDeferredValue, useRef, useState } from 'react';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { FormPdfField } from '#client/app/invoices/form-pdf-field.tsx';
import { InvoiceFields, UploadProgress } from '#client/app/invoices/invoice-fields.tsx';
import {
  emptyInvoice,
  formDataOf,
  type InvoiceValues,
  invoiceErrors,
} from '#client/app/invoices/invoice-form.ts';
import { ProjectSelect } from '#client/app/invoices/project-select.tsx';
import { type Attempt, attemptOf, contentOf } from '#client/lib/idempotency.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { toast } from '#client/ui/toast.ts';
import { adminInvoiceFormSchema } from '#contract/admin-invoices.ts';
import { CUSTOMER_TEXTS, type Customer } from '#contract/customers.ts';
import { INVOICE_TEXTS } from '#contract/invoices.ts';
import { createInvoice, customerProjectsQuery } from './api.ts';
import { CustomerSelect } from './customer-select.tsx';

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
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      opened
      onClose={() => !busy && onClose()}
      title="Crea Nuova Fattura"
      size="lg"
      fullScreenOnPhone
      closeOnClickOutside={false}
      closeOnEscape={!busy}
    >
      <CreateInvoiceForm onBusy={setBusy} onClose={onClose} />
    </Dialog>
  );
}

/** A component of its own: the dialog around it is not rendered again with each choice. */
function CreateInvoiceForm({ onBusy, onClose }: { onBusy: (busy: boolean) => void; onClose: () => void }) {
  const changed = useInvoicesChanged();
  const [part, setPart] = useState<number | null>(null);
  const form = useForm({
    initialValues: { customer: null as Customer | null, ...emptyInvoice(), file: null as File | null },
    validate: (values) => invoiceErrors(adminInvoiceFormSchema, fieldsOf(values)),
  });
  const attempt = useRef<Attempt | null>(null);
  const busy = form.submitting;
  const { customer } = form.values;
  /** Asking for the projects of the one chosen is for after the press. */
  const owner = useDeferredValue(customer?.id ?? '');

  async function submit(values: typeof form.values) {
    const { file } = values;
    onBusy(true);
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
      onBusy(false);
    }
  }

  return (
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
        <ProjectSelect
          label="Progetto"
          required
          disabled={busy || !customer}
          placeholder={customer ? CUSTOMER_TEXTS.projectPlaceholder : CUSTOMER_TEXTS.noCustomer}
          nothingFound={CUSTOMER_TEXTS.noProjects}
          queryOf={(search) => customerProjectsQuery(owner, search)}
          value={form.values.projectId}
          error={form.errors.projectId}
          onChange={(projectId) => form.setFieldValue('projectId', projectId)}
        />
        <InvoiceFields form={form} disabled={busy} />
        <FormPdfField form={form} disabled={busy} />
        <UploadProgress part={part} />
        <DialogFooter>
          <Button variant="default" disabled={busy} onClick={onClose}>
            Annulla
          </Button>
          <Button type="submit" disabled={busy}>
            {busy ? 'Creazione...' : 'Crea Fattura'}
          </Button>
        </DialogFooter>
      </Stack>
    </AppForm>
  );
}
