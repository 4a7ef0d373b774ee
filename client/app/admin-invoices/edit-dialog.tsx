import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCallback, useState } from 'react';
import { InvoiceFields } from '#client/app/invoices/invoice-fields.tsx';
import {
  INVOICE_FORM_NAMES,
  type InvoiceValues,
  invoiceErrors,
  valuesOf,
} from '#client/app/invoices/invoice-form.ts';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { ProjectSelect } from '#client/app/invoices/project-select.tsx';
import { ApiError } from '#client/lib/api.ts';
import { currentOf, type Difference, takeOver, useEditConflict } from '#client/lib/edit-conflict.ts';
import { toast } from '#client/lib/toast.ts';
import { dateWords, euroWords } from '#client/lib/words.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice } from '#client/ui/conflict-notice.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { type AdminInvoice, adminInvoiceSchema, invoiceEditSchema } from '#contract/admin-invoices.ts';
import { CUSTOMER_TEXTS } from '#contract/customers.ts';
import { isCalendarDate } from '#contract/dates.ts';
import { defaultDueDate, ownInvoiceFormSchema } from '#contract/invoices.ts';
import { customerProjectsQuery, useEditInvoice, useProjectsChanged } from './api.ts';

/** An invoice whose project was deleted may stay without one. */
const NO_PROJECT = '0';

function differencesOf(mine: InvoiceValues, base: AdminInvoice, saved: AdminInvoice): Difference[] {
  const theirs = valuesOf(saved);
  const project = mine.project?.name ?? base.projectName;
  const isNamesake = project === saved.projectName && (mine.project?.id ?? null) !== saved.projectId;
  const dueDate =
    mine.dueDate === '' && isCalendarDate(mine.issueDate) ? defaultDueDate(mine.issueDate) : mine.dueDate;
  return [
    {
      field: 'Progetto',
      mine: project,
      saved: isNamesake ? `${saved.projectName} (un altro con lo stesso nome)` : saved.projectName,
    },
    { field: 'Importo', mine: euroWords(mine.amount), saved: euroWords(theirs.amount) },
    { field: 'Emissione', mine: dateWords(mine.issueDate), saved: dateWords(theirs.issueDate) },
    { field: 'Scadenza', mine: dateWords(dueDate), saved: dateWords(theirs.dueDate) },
    { field: 'Descrizione', mine: mine.description, saved: theirs.description },
  ];
}

/** 'Modifica': amount, dates, project and description of an invoice; the totals are updated. */
export function EditInvoiceDialog({ invoice, onClose }: { invoice: AdminInvoice; onClose: () => void }) {
  const change = useEditInvoice();
  const forgetProjects = useProjectsChanged(invoice.userId);
  const conflict = useEditConflict(invoice, adminInvoiceSchema);
  const { base } = conflict;
  /** The latest known version of the invoice. */
  const [latest, setLatest] = useState(invoice);
  if (conflict.saved && conflict.saved !== latest) setLatest(conflict.saved);
  /** The chosen project; null if it is the invoice's original one and has been deleted meanwhile. */
  const projectOf = ({ project }: Pick<InvoiceValues, 'project'>) =>
    latest.projectId === null && project?.id === base.projectId ? null : project;
  const queryOf = useCallback(
    (search: string) => customerProjectsQuery(invoice.userId, search),
    [invoice.userId],
  );
  const form = useForm<InvoiceValues>({
    initialValues: valuesOf(invoice),
    // An existing issue date out of range may stay; only a new one has to follow the rules.
    validate: ({ project, ...values }) => {
      const sent = projectOf({ project });
      const projectId = sent ? String(sent.id) : latest.projectId === null ? NO_PROJECT : '';
      return invoiceErrors(ownInvoiceFormSchema, { projectId, ...values }, base.issueDate);
    },
  });
  const busy = form.submitting;
  const differencesFrom = (values: InvoiceValues) => (saved: AdminInvoice) =>
    differencesOf({ ...values, project: projectOf(values) }, base, saved);

  async function submit(values: InvoiceValues) {
    const saved = await conflict.send(({ version }) => {
      const edit = invoiceEditSchema.parse({
        version,
        projectId: projectOf(values)?.id ?? null,
        amount: Number(values.amount),
        issueDate: values.issueDate,
        dueDate: values.dueDate || null,
        description: values.description,
      });
      return change.mutateAsync({ number: invoice.number, edit }).catch((error: unknown) => {
        const current = currentOf(error, adminInvoiceSchema);
        const chosen = projectOf(values);
        // The invoice itself is unchanged, so the newly chosen project must have been deleted.
        if (!chosen || chosen.id === base.projectId || current?.version !== version) throw error;
        setLatest(current);
        form.setFieldValue('project', null);
        forgetProjects();
        const message = `«${chosen.name}» non esiste più: scegline un altro o salva senza progetto.`;
        throw new ApiError({ status: 422, code: 'invalid_input', message, fields: { projectId: message } });
      });
    }, differencesFrom(values));
    if (!saved) return;
    toast({ title: 'Fattura aggiornata', message: invoice.number });
    onClose();
  }

  return (
    <FormDialog opened onClose={onClose} title="Modifica fattura" size="lg" fullScreenOnPhone>
      <AppForm
        form={form}
        onSubmit={submit}
        label="Modifica fattura"
        names={INVOICE_FORM_NAMES}
        record={invoice.number}
      >
        <Stack>
          <InvoiceNumber number={invoice.number} />
          <ConflictNotice
            conflict={conflict}
            differencesFrom={differencesFrom(form.values)}
            onTakeSaved={(saved) => takeOver(form, valuesOf(saved))}
          />
          <ProjectSelect
            label="Progetto"
            required={latest.projectId !== null}
            description={
              latest.projectId !== null
                ? undefined
                : `«${latest.projectName}» non esiste più: puoi sceglierne un altro.`
            }
            data-autofocus
            disabled={busy}
            placeholder={CUSTOMER_TEXTS.projectPlaceholder}
            nothingFound={CUSTOMER_TEXTS.noProjects}
            queryOf={queryOf}
            chosen={projectOf(form.values)}
            error={form.errors.project}
            onChange={(project) => form.setFieldValue('project', project)}
          />
          <InvoiceFields form={form} disabled={busy} />
          <FormFooter busy={busy} label="Salva modifiche" busyLabel="Salvataggio..." onCancel={onClose} />
        </Stack>
      </AppForm>
    </FormDialog>
  );
}
