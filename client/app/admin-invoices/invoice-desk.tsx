import { Button, Text } from '@mantine/core';
import { IconFileInvoice, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { ClearFilters } from '#client/app/invoices/clear-filters.tsx';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { OverdueMark } from '#client/app/invoices/overdue-mark.tsx';
import { TotalsLine } from '#client/app/invoices/totals-line.tsx';
import { useFieldsKey } from '#client/lib/address-filters.ts';
import { afterPaint } from '#client/lib/after-paint.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import { useOnNewDay, useToday } from '#client/lib/new-day.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { ExportMenu } from '#client/ui/export-menu.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice } from '#contract/admin-invoices.ts';
import { type Customer, customerLabel } from '#contract/customers.ts';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { isOverdue } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { adminInvoicesQuery, customerQuery, exportAllInvoices } from './api.ts';
import { DeskFilters, type FilterChange, isSort, useDeskAddress } from './desk-filters.tsx';
import { FileCell } from './file-cell.tsx';
import styles from './invoice-desk.module.css';
import { RowActions } from './row-actions.tsx';
import { type Marked, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

/** A note about the due date, if there is something to say. */
function dueOf(invoice: AdminInvoice, today: CalendarDate): ReactNode {
  if (isOverdue(invoice, today)) return <OverdueMark since={invoice.dueDate} />;
  if (invoice.issueDate > today) return 'non ancora visibile';
  if (invoice.status === 'Pagata' || invoice.dueDate === null) return null;
  // Without an article: the column has no room for it beside the others on a small laptop.
  return `scade ${formatDate(invoice.dueDate)}`;
}

function IssueDate({ invoice, today }: { invoice: AdminInvoice; today: CalendarDate }) {
  const due = dueOf(invoice, today);
  return (
    <>
      {formatDate(invoice.issueDate)}
      {due && (
        <Text size="xs" c="dimmed">
          {due}
        </Text>
      )}
    </>
  );
}

const columnsOn = (today: CalendarDate): Column<AdminInvoice>[] => [
  {
    key: 'number',
    header: 'Fattura',
    sortable: true,
    tableOnly: true,
    cell: ({ number }) => <InvoiceNumber number={number} />,
  },
  {
    key: 'customer',
    header: 'Utente',
    sortable: true,
    wholeWords: true,
    cell: ({ customer }) => (
      <div className={styles.customer}>
        {customerLabel(customer)}
        <small className={styles.company}>{customer.companyName ?? customer.email}</small>
      </div>
    ),
  },
  {
    key: 'project',
    header: 'Progetto',
    sortable: true,
    cell: ({ projectName }) => <span className={styles.project}>{projectName}</span>,
  },
  {
    key: 'issueDate',
    header: 'Data',
    sortable: true,
    nowrap: true,
    cell: (invoice) => <IssueDate invoice={invoice} today={today} />,
  },
  {
    key: 'amount',
    header: 'Importo',
    sortable: true,
    align: 'end',
    nowrap: true,
    cell: ({ amount }) => <strong className={styles.amount}>{formatEuro(amount)}</strong>,
  },
  {
    key: 'status',
    header: 'Stato',
    sortable: true,
    tableOnly: true,
    nowrap: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { key: 'file', header: 'File PDF', nowrap: true, cell: (invoice) => <FileCell invoice={invoice} /> },
];

const numberOf = ({ number }: AdminInvoice) => number;
const shownNumber = ({ number }: AdminInvoice) => <InvoiceNumber number={number} />;
const shownState = ({ status }: AdminInvoice) => <StatusBadge status={status} />;
const actionsOf = (invoice: AdminInvoice) => <RowActions invoice={invoice} />;

/** The customer to filter by, with the name: as just chosen, or read by the id that is in the URL. */
function useFilterCustomer(userId: string) {
  const [chosen, choose] = useState<Customer | null>(null);
  const known = chosen?.id === userId ? chosen : null;
  const named = useQuery({ ...customerQuery(userId), enabled: userId !== '' && known === null });
  const customer = userId === '' ? null : (known ?? named.data ?? null);
  return [customer, choose] as const;
}

/**
 * 'Fatture nel Sistema': all customers' invoices, with search, filters, order and actions.
 * @param onCreate opens the form of a new one
 */
export function InvoiceDesk({ onCreate }: { onCreate: () => void }) {
  const { filters, order, setFilters, clear: clearAddress, setOrder } = useDeskAddress();
  const [fieldsKey, resetFields] = useFieldsKey();
  const table = useRef<HTMLDivElement>(null);
  const [customer, chooseCustomer] = useFilterCustomer(filters.userId ?? '');
  const list = useInfiniteQuery(adminInvoicesQuery({ ...filters, ...order }));
  const { selected, chosen, select, selectAll, isReadingAll, marked, deselect } = useSelection(
    filters,
    order,
    list,
  );
  const today = useToday();
  const columns = useMemo(() => columnsOn(today), [today]);
  // What is overdue depends on the date.
  useOnNewDay(useInvoicesChanged());
  /** Whether what is shown was filtered: once the filters are removed, it stays until the answer. */
  const filtered = Object.values(filters).some(Boolean) || list.isPlaceholderData;

  const change = useCallback(
    ({ customer: chosen, ...values }: FilterChange) => {
      if (chosen !== undefined) chooseCustomer(chosen);
      return setFilters(values);
    },
    [setFilters, chooseCustomer],
  );
  function clear() {
    clearAddress();
    resetFields();
  }
  function sortBy(key: string) {
    if (!isSort(key)) return;
    const { sort, direction } = order;
    setOrder({ sort: key, direction: sort === key && direction === 'asc' ? 'desc' : 'asc' });
  }
  /** Moves the focus from the bar to the table, unless the bar stays with something to undo, or the user has moved it. */
  function leaveSelection(done: Marked | null, takesFocus: boolean) {
    // By then what was marked has left the table, or is back in it.
    afterPaint(() => {
      if (!done && takesFocus) table.current?.querySelector('input')?.focus();
      deselect(done);
    });
  }

  return (
    <Section
      title="Fatture nel Sistema"
      actions={
        <>
          <ExportMenu name="fatture" load={(format) => exportAllInvoices({ ...filters, ...order }, format)} />
          <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onCreate}>
            Crea Nuova Fattura
          </Button>
        </>
      }
    >
      <DeskFilters
        {...{ filters, customer, order }}
        fieldsKey={fieldsKey}
        onChange={change}
        onOrder={setOrder}
      />
      <Loaded
        query={list}
        errorTitle="Errore nel caricamento delle fatture"
        skeleton={<RowsSkeleton rows={8} label="Caricamento delle fatture…" />}
      >
        {({ pages }) => {
          const [first] = pages;
          const invoices = rowsOf(pages);
          const bar = (
            <SelectionBar
              key="bar"
              {...{ chosen, marked, isReadingAll }}
              shown={invoices.length}
              found={first && !list.isPlaceholderData ? first : null}
              onSelectAll={selectAll}
              onDone={leaveSelection}
            />
          );
          if (!first || invoices.length === 0) {
            return (
              <>
                {bar}
                <EmptyState
                  icon={IconFileInvoice}
                  title={ADMIN_INVOICE_TEXTS.empty}
                  action={filtered && <ClearFilters onClear={clear} />}
                >
                  {filtered
                    ? 'Nessuna fattura corrisponde ai filtri.'
                    : 'Crea la prima: l’utente la vedrà subito.'}
                </EmptyState>
              </>
            );
          }
          return (
            <>
              <TotalsLine count={first.total} totals={first.totals} current={!list.isRefetching} />
              {bar}
              <div ref={table}>
                <DataTable
                  caption="Fatture nel sistema"
                  rows={invoices}
                  rowKey={numberOf}
                  title={numberOf}
                  cardTitle={shownNumber}
                  tableFrom={59}
                  cardBadge={shownState}
                  columns={columns}
                  sort={{ key: order.sort, direction: order.direction, onSort: sortBy }}
                  selection={{ selected, onSelect: select }}
                  actions={actionsOf}
                />
              </div>
              <LoadMore
                feminine
                shown={invoices.length}
                total={first.total}
                exact={first.totals !== null}
                pages={list}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
