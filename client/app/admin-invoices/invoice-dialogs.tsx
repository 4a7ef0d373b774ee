import { Text } from '@mantine/core';
import { createContext, type ReactNode, use } from 'react';
import { PdfPreview } from '#client/app/invoices/pdf-preview.tsx';
import { useDialog } from '#client/lib/use-dialog.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { toast } from '#client/ui/toast.ts';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice } from '#contract/admin-invoices.ts';
import { customerLabel } from '#contract/customers.ts';
import { formatEuro } from '#contract/money.ts';
import { downloadAnyInvoice, useRemoveInvoice, useRemoveInvoiceFile } from './api.ts';
import { EditInvoiceDialog } from './edit-dialog.tsx';
import { InvoiceFileDialog } from './file-dialog.tsx';
import { InvoiceHistory } from './history.tsx';

type Kind = 'edit' | 'history' | 'remove' | 'upload file' | 'preview file' | 'remove file';

/** A dialog, and the invoice it is about, as it was when it was opened. */
type Subject = { kind: Kind; invoice: AdminInvoice };

const OpenDialog = createContext<(subject: Subject) => void>(() => {});

/** What opens a dialog about an invoice: the same function each time. Below `InvoiceDialogs`. */
export function useOpenInvoiceDialog(): (subject: Subject) => void {
  return use(OpenDialog);
}

/**
 * Around a list of invoices: its dialogs, which stay when their row leaves a filtered list that is read again. Opening one does
 * not render the list.
 */
export function InvoiceDialogs({ children }: { children: ReactNode }) {
  const { opened, subject, open, close } = useDialog<Subject>('invoice');
  return (
    <OpenDialog value={open}>
      {children}
      {subject && <Dialogs {...subject} opened={opened} onClose={close} />}
    </OpenDialog>
  );
}

function Dialogs({
  kind,
  invoice,
  opened,
  onClose,
}: Subject & {
  opened: boolean;
  onClose: () => void;
}) {
  const remove = useRemoveInvoice();
  const removeFile = useRemoveInvoiceFile();
  const { number, fileName } = invoice;
  const shown = opened ? kind : null;
  return (
    <>
      {shown === 'edit' && <EditInvoiceDialog invoice={invoice} onClose={onClose} />}
      {shown === 'history' && <InvoiceHistory invoice={invoice} onClose={onClose} />}
      <ConfirmDialog
        opened={shown === 'remove'}
        title="Elimina Fattura"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={onClose}
        onConfirm={async () => {
          await remove.mutateAsync(number);
          toast({ title: ADMIN_INVOICE_TEXTS.deleted });
        }}
      >
        <Text>
          La fattura <strong>{number}</strong> di {formatEuro(invoice.amount)} per{' '}
          {customerLabel(invoice.customer)} sarà eliminata in modo irreversibile
          {fileName !== null && ', con il suo PDF'}.
        </Text>
      </ConfirmDialog>
      {shown === 'upload file' && <InvoiceFileDialog invoice={invoice} onClose={onClose} />}
      {shown === 'preview file' && fileName !== null && (
        <PdfPreview
          title={fileName}
          fileName={fileName}
          queryKey={['admin-invoices', 'file', number, invoice.updatedAt]}
          load={() => downloadAnyInvoice(invoice)}
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
          await removeFile.mutateAsync(number);
          toast({ title: ADMIN_INVOICE_TEXTS.fileDeleted });
        }}
      >
        <Text>
          Il file <strong>{fileName}</strong> della fattura {number} sarà eliminato in modo irreversibile. La
          fattura resta.
        </Text>
      </ConfirmDialog>
    </>
  );
}
