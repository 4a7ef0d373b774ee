import type { UseFormReturnType } from '@mantine/form';
import { useCallback, useDeferredValue } from 'react';
import { CreateDialog } from '#client/app/invoices/create-dialog.tsx';
import {
  emptyInvoice,
  invoiceFieldsOf,
  type NewInvoiceValues,
  valuesOf,
} from '#client/app/invoices/invoice-form.ts';
import { ProjectSelect } from '#client/app/invoices/project-select.tsx';
import { type AdminInvoice, adminInvoiceFormSchema } from '#contract/admin-invoices.ts';
import { CUSTOMER_TEXTS, type Customer } from '#contract/customers.ts';
import { createInvoice, customerProjectsQuery } from './api.ts';
import { CustomerSelect } from './customer-select.tsx';

type Values = NewInvoiceValues & { customer: Customer | null };

/** A new invoice like `invoice`, issued today: what an invoice of every month shares with the one before. */
function copyOf(invoice: AdminInvoice): Values {
  const { project, amount, description } = valuesOf(invoice);
  return { ...emptyInvoice(), customer: invoice.customer, project, amount, description };
}

/**
 * 'Crea Nuova Fattura' (spec §2, §3, §5).
 * @param like an invoice to begin from
 */
export function CreateInvoiceDialog({ like, onClose }: { like?: AdminInvoice; onClose: () => void }) {
  return (
    <CreateDialog<Values>
      title="Crea Nuova Fattura"
      initialValues={like ? copyOf(like) : { customer: null, ...emptyInvoice() }}
      fieldsOf={({ customer, ...values }) => ({ userId: customer?.id ?? '', ...invoiceFieldsOf(values) })}
      schema={adminInvoiceFormSchema}
      create={createInvoice}
      onClose={onClose}
    >
      {(form, busy) => <CustomerAndProject form={form} disabled={busy} />}
    </CreateDialog>
  );
}

/** The invoice's customer and project; the projects offered are those of the chosen customer. */
function CustomerAndProject({ form, disabled }: { form: UseFormReturnType<Values>; disabled: boolean }) {
  const { customer } = form.values;
  /** Deferred, so that the press on a customer is shown before the projects are queried. */
  const owner = useDeferredValue(customer?.id ?? '');
  const queryOf = useCallback((search: string) => customerProjectsQuery(owner, search), [owner]);
  return (
    <>
      <CustomerSelect
        label="Utente"
        required
        data-autofocus
        disabled={disabled}
        chosen={customer}
        invoiceable
        error={form.errors.customer}
        onChange={(chosen) => {
          form.setFieldValue('customer', chosen);
          // Without a project, that one is missing stays said.
          if (form.values.project) form.setFieldValue('project', null);
        }}
      />
      <ProjectSelect
        label="Progetto"
        required
        disabled={disabled || !customer}
        placeholder={customer ? CUSTOMER_TEXTS.projectPlaceholder : CUSTOMER_TEXTS.noCustomer}
        nothingFound={CUSTOMER_TEXTS.noProjects}
        queryOf={queryOf}
        chosen={form.values.project}
        error={form.errors.project}
        onChange={(project) => form.setFieldValue('project', project)}
      />
    </>
  );
}
