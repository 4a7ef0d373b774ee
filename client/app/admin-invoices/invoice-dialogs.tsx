import { Text } from '@mantine/core';
import { useState } from 'react';
import { PdfPreview } from '#client/app/invoices/pdf-preview.tsx';
import { currentOf } from '#client/lib/edit-conflict.ts';
import { toast } from '#client/lib/toast.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { type DialogAround, dialogsAround } from '#client/ui/dialogs-around.tsx';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice, adminInvoiceSchema } from '#contract/admin-invoices.ts';
import { customerLabel } from '#contract/customers.ts';
import { formatEuro } from '#contract/money.ts';
import { useAnyInvoiceFile, useRemoveInvoice, useRemoveInvoiceFile } from './api.ts';
import { CreateInvoiceDialog } from './create-dialog.tsx';
import { EditInvoiceDialog } from './edit-dialog.tsx';
import { InvoiceFileDialog } from './file-dialog.tsx';
import { InvoiceHistory } from './history.tsx';

type Kind = 'edit' | 'copy' | 'history' | 'remove' | 'upload file' | 'preview file' | 'remove file';

/** A dialog, with its invoice as of opening. */
type Subject = { kind: Kind; invoice: AdminInvoice };

function Dialogs({ kind, invoice, opened, onClose }: DialogAround<Subject>) {
  const remove = useRemoveInvoice();
  const removeFile = useRemoveInvoiceFile();
  const loadFile = useAnyInvoiceFile();
  const { number, fileName } = invoice;
  const shown = opened ? kind : null;
  /** An invoice that has turned out to be changed since its dialog was opened. */
  const [changed, setChanged] = useState({ opened: invoice, current: invoice });
  const latest = changed.opened === invoice ? changed.current : invoice;
  /** Notes what a refused change says about the invoice, and passes the failure on. */
  const noteCurrent = (error: unknown): never => {
    const current = currentOf(error, adminInvoiceSchema);
    if (current) setChanged({ opened: invoice, current });
    throw error;
  };
  return (
    <>
      {shown === 'edit' && <EditInvoiceDialog invoice={invoice} onClose={onClose} />}
      {shown === 'copy' && <CreateInvoiceDialog like={invoice} onClose={onClose} />}
      {shown === 'history' && <InvoiceHistory invoice={invoice} onClose={onClose} />}
      <ConfirmDialog
        opened={shown === 'remove'}
        title="Elimina Fattura"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={onClose}
        onConfirm={async () => {
          await remove.mutateAsync(latest).catch(noteCurrent);
          toast({ title: ADMIN_INVOICE_TEXTS.deleted });
        }}
      >
        <Text>
          La fattura <strong>{number}</strong> di {formatEuro(latest.amount)} per{' '}
          {customerLabel(latest.customer)} sarà eliminata in modo irreversibile
          {latest.fileName !== null && ', con il suo PDF'}.
        </Text>
      </ConfirmDialog>
      {shown === 'upload file' && <InvoiceFileDialog invoice={invoice} onClose={onClose} />}
      {shown === 'preview file' && fileName !== null && (
        <PdfPreview
          fileName={fileName}
          // Not among those of the lists: finding the file deleted reloads the lists.
          queryKey={['invoice-file', number, invoice.updatedAt]}
          load={() => loadFile(invoice)}
          onClose={onClose}
        />
      )}
      <ConfirmDialog
        opened={shown === 'remove file'}
        title="Elimina PDF"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={onClose}
        onConfirm={async () => {
          await removeFile.mutateAsync(latest).catch(noteCurrent);
          toast({ title: ADMIN_INVOICE_TEXTS.fileDeleted });
        }}
      >
        <Text>
          Il file <strong>{latest.fileName}</strong> della fattura {number} sarà eliminato in modo
          irreversibile. La fattura resta.
        </Text>
      </ConfirmDialog>
    </>
  );
}

/** Wraps a list of invoices and renders their dialogs, which components below can open. */
export const { Around: InvoiceDialogs, useOpenDialog: useOpenInvoiceDialog } = dialogsAround(
  'invoice',
  Dialogs,
);
