import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { FormPdfField } from '#client/app/invoices/form-pdf-field.tsx';
import { UploadProgress } from '#client/app/invoices/invoice-fields.tsx';
import { requireSendable } from '#client/app/invoices/pdf-file.ts';
import { currentOf } from '#client/lib/edit-conflict.ts';
import { isGone } from '#client/lib/failures.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { FormButtons } from '#client/ui/form-buttons.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice, adminInvoiceSchema } from '#contract/admin-invoices.ts';
import { uploadInvoiceFile } from './api.ts';

/** 'Carica PDF' and 'Sostituisci PDF'. */
export function InvoiceFileDialog({ invoice, onClose }: { invoice: AdminInvoice; onClose: () => void }) {
  const changed = useInvoicesChanged();
  const [part, setPart] = useState<number | null>(null);
  /** The invoice with the PDF that it has as far as is known. */
  const [latest, setLatest] = useState(invoice);
  const form = useForm<{ file: File | null }>({
    initialValues: { file: null },
    validate: { file: (file) => (file ? null : 'Scegli un file PDF') },
  });
  const title = latest.fileName === null ? 'Carica PDF' : 'Sostituisci PDF';
  const busy = form.submitting;

  async function submit({ file }: { file: File | null }) {
    if (!file) return;
    await requireSendable(file);
    setPart(0);
    try {
      await uploadInvoiceFile(latest, file, setPart);
      await changed();
      toast({ title: ADMIN_INVOICE_TEXTS.uploaded, message: file.name });
      onClose();
    } catch (error) {
      const current = currentOf(error, adminInvoiceSchema);
      if (current) {
        setLatest(current);
        void changed();
      }
      // The dialog closes, and the focus would return to a row that is about to disappear.
      if (isGone(error)) await changed();
      await requireSendable(file);
      throw error;
    } finally {
      setPart(null);
    }
  }

  return (
    <FormDialog opened onClose={onClose} title={title}>
      <AppForm form={form} onSubmit={submit} label={title} record={invoice.number}>
        <Stack>
          {latest.fileName !== null && (
            <Text>
              Il nuovo file prende il posto di <strong>{latest.fileName}</strong>.
            </Text>
          )}
          <FormPdfField form={form} required autoFocus disabled={busy} />
          <UploadProgress part={part} />
          <FormButtons busy={busy} label={title} busyLabel="Caricamento..." onCancel={onClose} />
        </Stack>
      </AppForm>
    </FormDialog>
  );
}
