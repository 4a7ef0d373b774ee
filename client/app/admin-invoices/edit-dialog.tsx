import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { InvoiceFields } from '#client/app/invoices/invoice-fields.tsx';
import { invoiceErrors } from '#client/app/invoices/invoice-form.ts';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { ProjectSelect } from '#client/app/invoices/project-select.tsx';
import { AppForm } from '#client/ui/app-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { toast } from '#client/ui/toast.ts';
import { type AdminInvoice, invoiceEditSchema } from '#contract/admin-invoices.ts';
import { CUSTOMER_TEXTS } from '#contract/customers.ts';
import { ownInvoiceFormSchema } from '#contract/invoices.ts';
import { customerProjectsQuery, editInvoice } from './api.ts';

/** An invoice whose project is gone may stay without one. */
const NO_PROJECT = '0';

/** 'Modifica': amount, dates, project and description of an invoice; the totals follow. */
export function EditInvoiceDialog({ invoice, onClose }: { invoice: AdminInvoice; onClose: () => void }) {
  const changed = useInvoicesChanged();
  const current = invoice.projectId === null ? null : { id: invoice.projectId, name: invoice.projectName };
  const form = useForm({
    initialValues: {
      projectId: current ? String(current.id) : NO_PROJECT,
      amount: invoice.amount as number | string,
      issueDate: invoice.issueDate as string,
      dueDate: (invoice.dueDate ?? '') as string,
      description: invoice.description ?? '',
    },
    // A date out of bounds may stay as it is; only a new one has to follow the rules.
    validate: (values) => invoiceErrors(ownInvoiceFormSchema, values, invoice.issueDate),
  });
  const busy = form.submitting;

  async function submit(values: typeof form.values) {
    const edit = invoiceEditSchema.parse({
      version: invoice.version,
      projectId: values.projectId === NO_PROJECT ? null : Number(values.projectId),
      amount: Number(values.amount),
      issueDate: values.issueDate,
      dueDate: values.dueDate || null,
      description: values.description,
    });
    await editInvoice(invoice.number, edit);
    toast({ title: 'Fattura aggiornata', message: invoice.number });
    await changed();
    onClose();
  }

  return (
    <Dialog
      opened
      onClose={() => !busy && onClose()}
      title="Modifica fattura"
      size="lg"
      fullScreenOnPhone
      closeOnClickOutside={false}
      closeOnEscape={!busy}
    >
      <AppForm form={form} onSubmit={submit} label="Modifica fattura" record={invoice.number}>
        <Stack>
          <InvoiceNumber number={invoice.number} />
          <ProjectSelect
            label="Progetto"
            required={current !== null}
            description={
              current ? undefined : `«${invoice.projectName}» non esiste più: puoi sceglierne un altro.`
            }
            disabled={busy}
            placeholder={CUSTOMER_TEXTS.projectPlaceholder}
            nothingFound={CUSTOMER_TEXTS.noProjects}
            queryOf={(search) => customerProjectsQuery(invoice.userId, search)}
            value={form.values.projectId === NO_PROJECT ? '' : form.values.projectId}
            current={current}
            error={form.errors.projectId}
            onChange={(projectId) => form.setFieldValue('projectId', projectId)}
          />
          <InvoiceFields form={form} disabled={busy} />
          <DialogFooter>
            <Button variant="default" disabled={busy} onClick={onClose}>
              Annulla
            </Button>
            <Button type="submit" disabled={busy}>
              {busy ? 'Salvataggio...' : 'Salva modifiche'}
            </Button>
          </DialogFooter>
        </Stack>
      </AppForm>
    </Dialog>
  );
}
