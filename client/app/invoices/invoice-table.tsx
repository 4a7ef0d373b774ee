import { Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { currentOf } from '#client/lib/edit-conflict.ts';
import { useToday } from '#client/lib/new-day.ts';
import { toast } from '#client/lib/toast.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import {
  INVOICE_TEXTS,
  type Invoice,
  invoiceSchema,
  isOverdue,
  isSampleInvoice,
} from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { useDeleteInvoice } from './api.ts';
import { DownloadButton } from './download-button.tsx';
import { InvoiceNumber } from './invoice-number.tsx';
import { formatOptionalDate } from './invoice-words.ts';
import { OverdueMark } from './overdue-mark.tsx';

type Dated = { invoice: Invoice; today: CalendarDate };

function DueDate({ invoice, today }: Dated) {
  return (
    <>
      {formatOptionalDate(invoice.dueDate)}
      {isOverdue(invoice, today) && (
        <div>
          <OverdueMark />
        </div>
      )}
    </>
  );
}

/** For tables without a column for the due date. */
function IssueDate({ invoice, today }: Dated) {
  return (
    <>
      {formatDate(invoice.issueDate)}
      {isOverdue(invoice, today) && (
        <div>
          <OverdueMark since={invoice.dueDate} />
        </div>
      )}
    </>
  );
}

const columnsOn = (today: CalendarDate): Column<Invoice>[] => [
  {
    key: 'number',
    header: 'Fattura',
    tableOnly: true,
    cell: (invoice) => (
      <>
        <InvoiceNumber number={invoice.number} /> {isSampleInvoice(invoice.number) && <SampleBadge />}
        {invoice.description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {invoice.description}
          </Text>
        )}
      </>
    ),
  },
  { key: 'project', header: 'Progetto', cell: (invoice) => invoice.projectName },
  { key: 'description', header: 'Descrizione', cardOnly: true, cell: (invoice) => invoice.description },
  { key: 'issueDate', header: 'Data', nowrap: true, cell: (invoice) => formatDate(invoice.issueDate) },
  {
    key: 'dueDate',
    header: 'Scadenza',
    nowrap: true,
    cell: (invoice) => <DueDate invoice={invoice} today={today} />,
  },
  {
    key: 'status',
    header: 'Stato',
    tableOnly: true,
    nowrap: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'amount',
    header: 'Importo',
    align: 'end',
    nowrap: true,
    cell: (invoice) => <strong>{formatEuro(invoice.amount)}</strong>,
  },
];
const isSample = ({ number }: Invoice) => isSampleInvoice(number);
const numberOf = ({ number }: Invoice) => number;
const shownNumber = ({ number }: Invoice) => <InvoiceNumber number={number} />;
const shownState = (invoice: Invoice) => (
  <>
    <StatusBadge status={invoice.status} />
    {isSample(invoice) && <SampleBadge />}
  </>
);
const recentColumnsOn = (today: CalendarDate) =>
  columnsOn(today)
    .filter(({ key }) => key !== 'dueDate')
    .map((column) =>
      column.key === 'issueDate'
        ? { ...column, cell: (invoice: Invoice) => <IssueDate invoice={invoice} today={today} /> }
        : column,
    );

/**
 * Own invoices: amount, project and due date, with the PDF. `recent` hides the due date (spec §2) unless it has passed.
 */
export function InvoiceTable({
  caption,
  invoices,
  recent = false,
}: {
  caption: string;
  invoices: readonly Invoice[];
  recent?: boolean;
}) {
  const [doomed, setDoomed] = useState<Invoice | null>(null);
  const remove = useDeleteInvoice();
  const today = useToday();
  const columns = useMemo(() => (recent ? recentColumnsOn : columnsOn)(today), [recent, today]);
  const actions = useCallback(
    (invoice: Invoice) =>
      isSample(invoice) ? null : (
        <>
          <DownloadButton invoice={invoice} />
          {!recent && (
            <IconButton
              tone="danger"
              aria-label={`Elimina la fattura ${invoice.number}`}
              onClick={() => setDoomed(invoice)}
            >
              <IconTrash size={20} stroke={1.75} aria-hidden="true" />
            </IconButton>
          )}
        </>
      ),
    [recent],
  );
  return (
    <>
      <DataTable
        caption={caption}
        rows={invoices}
        rowKey={numberOf}
        title={numberOf}
        cardTitle={shownNumber}
        cardBadge={shownState}
        columns={columns}
        tableFrom={recent ? 46 : 52}
        // Samples have no actions, so there is no empty column for them.
        actions={invoices.every(isSample) ? undefined : actions}
      />
      <ConfirmDialog
        opened={doomed !== null}
        title="Elimina Fattura"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={() => setDoomed(null)}
        onConfirm={async () => {
          if (!doomed) return;
          await remove.mutateAsync(doomed).catch((error: unknown) => {
            setDoomed(currentOf(error, invoiceSchema) ?? doomed);
            throw error;
          });
          toast({ title: INVOICE_TEXTS.deleted });
        }}
      >
        {doomed && (
          <Text>
            La fattura <strong>{doomed.number}</strong> di {formatEuro(doomed.amount)} sarà eliminata in modo
            irreversibile{doomed.fileName !== null && ', con il suo PDF'}.
            {doomed.projectId !== null &&
              ` La spesa del progetto «${doomed.projectName}» diminuirà dello stesso importo.`}
          </Text>
        )}
      </ConfirmDialog>
    </>
  );
}
