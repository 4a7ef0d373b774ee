import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type Attempt, attemptOf, contentOf } from '#client/lib/idempotency.ts';
import { useUrlDialog } from '#client/lib/url-dialog.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { toast } from '#client/ui/toast.ts';
import { INVOICE_TEXTS, ownInvoiceFormSchema } from '#contract/invoices.ts';
import { createOwnInvoice, ownProjectsQuery, useInvoicesChanged } from './api.ts';
import { FormPdfField } from './form-pdf-field.tsx';
import { InvoiceFields, UploadProgress } from './invoice-fields.tsx';
import { emptyInvoice, formDataOf, invoiceErrors } from './invoice-form.ts';
import { ProjectSelect } from './project-select.tsx';

/** 'Nuova Fattura': an administrator's invoice for own records (spec §6, §7). */
export function NewInvoice() {
  const [opened, { open, close }] = useUrlDialog('nuova');
  return (
    <>
      <Button leftSection={<IconPlus size={18} stroke={2} aria-hidden="true" />} onClick={open}>
        Nuova Fattura
      </Button>
      {opened && <NewInvoiceDialog onClose={close} />}
    </>
  );
}

function NewInvoiceDialog({ onClose }: { onClose: () => void }) {
  const changed = useInvoicesChanged();
  const [part, setPart] = useState<number | null>(null);
  const form = useForm({
    initialValues: { ...emptyInvoice(), file: null as File | null },
    validate: ({ file: _, ...values }) => invoiceErrors(ownInvoiceFormSchema, values),
  });
  const attempt = useRef<Attempt | null>(null);
  const busy = form.submitting;

  async function submit({ file, ...values }: typeof form.values) {
    if (file) setPart(0);
    try {
      const body = formDataOf(values, file);
      attempt.current = attemptOf(contentOf(body), attempt.current);
      const invoice = await createOwnInvoice(body, attempt.current, (sent) => file && setPart(sent));
      toast({ title: INVOICE_TEXTS.created, message: invoice.number });
      await changed();
      onClose();
    } finally {
      setPart(null);
    }
  }

  return (
    <Dialog
      opened
      onClose={() => !busy && onClose()}
      title="Nuova Fattura"
      size="lg"
      fullScreenOnPhone
      closeOnClickOutside={false}
      closeOnEscape={!busy}
    >
      <AppForm form={form} onSubmit={submit} label="Nuova Fattura">
        <Stack>
          <ProjectSelect
            label="Progetto"
            required
            data-autofocus
            disabled={busy}
            placeholder="Seleziona un progetto"
            nothingFound="Nessun progetto trovato"
            queryOf={ownProjectsQuery}
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
    </Dialog>
  );
}
