import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useUrlDialog } from '#client/lib/url-dialog.ts';
import { ownInvoiceFormSchema } from '#contract/invoices.ts';
import { createOwnInvoice, ownProjectsQuery } from './api.ts';
import { CreateDialog } from './create-dialog.tsx';
import { emptyInvoice, invoiceFieldsOf } from './invoice-form.ts';
import { ProjectSelect } from './project-select.tsx';

/** 'Nuova Fattura': an administrator's invoice for their own records (spec §6, §7). */
export function NewInvoice() {
  const [opened, { open, close }] = useUrlDialog('nuova');
  return (
    <>
      <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={open}>
        Nuova Fattura
      </Button>
      {opened && <NewInvoiceDialog onClose={close} />}
    </>
  );
}

function NewInvoiceDialog({ onClose }: { onClose: () => void }) {
  return (
    <CreateDialog
      title="Nuova Fattura"
      initialValues={emptyInvoice()}
      fieldsOf={invoiceFieldsOf}
      schema={ownInvoiceFormSchema}
      create={createOwnInvoice}
      onClose={onClose}
    >
      {(form, busy) => (
        <ProjectSelect
          label="Progetto"
          required
          data-autofocus
          disabled={busy}
          placeholder="Seleziona un progetto"
          nothingFound="Nessun progetto trovato"
          queryOf={ownProjectsQuery}
          chosen={form.values.project}
          error={form.errors.project}
          onChange={(project) => form.setFieldValue('project', project)}
        />
      )}
    </CreateDialog>
  );
}
