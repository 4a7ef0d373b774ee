import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFileInvoice } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useInvoicesChanged } from '#client/app/invoices/api.ts';
import { ClearFilters } from '#client/app/invoices/clear-filters.tsx';
import { ExportMenu } from '#client/app/invoices/export-menu.tsx';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { invoiceCount } from '#client/app/invoices/invoice-words.ts';
import { OverdueMark } from '#client/app/invoices/overdue-mark.tsx';
import { TotalsLine } from '#client/app/invoices/totals-line.tsx';
import { useFieldsKey } from '#client/lib/address-filters.ts';
import { afterPaint } from '#client/lib/after-paint.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import { useOnNewDay, useToday } from '#client/lib/new-day.ts';
import { toast } from '#client/lib/toast.ts';
import { counted } from '#client/lib/words.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { Section } from '#client/ui/section.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice, MAX_SELECTED } from '#contract/admin-invoices.ts';
import { type Customer, customerLabel } from '#contract/customers.ts';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { isOverdue } from '#contract/invoices.ts';
import { formatEuro, sumOfEuro } from '#contract/money.ts';
import { adminInvoicesQuery, customerQuery, exportAllInvoices, useSetStatus } from './api.ts';
import {
  DeskFilters,
  type FilterChange,
  type Filters,
  isSort,
  type Order,
  useDeskAddress,
} from './desk-filters.tsx';
import { FileCell } from './file-cell.tsx';
import styles from './invoice-desk.module.css';
import { RowActions } from './row-actions.tsx';

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

/** While the bar covers the top of the page, what is focused above it is scrolled to below it. */
function useClearOfFocus() {
  const { ref, height } = useElementSize<HTMLDivElement>();
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingTop = height > 0 ? `calc(8rem + ${height}px)` : '';
    return () => {
      style.scrollPaddingTop = '';
    };
  }, [height]);
  return ref;
}

/**
 * The bar of actions for several selected rows. It is there before any row is selected, empty, because a screen reader
 * announces what is written into a status that it knows, not a status that appears with its words.
 */
function SelectionBar({ chosen, onDone }: { chosen: readonly AdminInvoice[]; onDone: () => void }) {
  const setStatus = useSetStatus();
  const some = chosen.length > 0;
  const unpaid = chosen.filter(({ status }) => status === 'Da Pagare');
  const paid = chosen.length - unpaid.length;
  const tooMany = unpaid.length > MAX_SELECTED;
  const inPlace = useFocusInPlace();
  const bar = useClearOfFocus();
  const mark = () =>
    inPlace(async () => {
      const numbers = unpaid.map(({ number }) => number);
      const { status, changed } = await setStatus.mutateAsync({ numbers, status: 'Pagata' });
      toast({ title: ADMIN_INVOICE_TEXTS.statusChanged(status), message: invoiceCount(changed) });
      onDone();
    });
  return (
    <div ref={bar} className={some ? styles.selection : undefined}>
      {/* Without the buttons, whose names would be read out again with each row. */}
      <Text fw={600} role="status">
        {some && (
          <>
            {counted(chosen.length, 'fattura selezionata', 'fatture selezionate')} ·{' '}
            {formatEuro(sumOfEuro(chosen))}
            {paid > 0 && `, ${unpaid.length > 0 ? figure(unpaid.length) : 'nessuna'} da pagare`}
            {tooMany && `. ${ADMIN_INVOICE_TEXTS.tooMany}.`}
          </>
        )}
      </Text>
      {some && (
        <Group gap="xs">
          <Button
            size="compact-md"
            disabled={unpaid.length === 0 || tooMany}
            loading={setStatus.isPending}
            onClick={mark}
          >
            {unpaid.length === 1 ? 'Segna come Pagata' : 'Segna come Pagate'}
          </Button>
          <Button size="compact-md" variant="default" aria-label="Annulla la selezione" onClick={onDone}>
            Annulla
          </Button>
        </Group>
      )}
    </div>
  );
}

const sameFilters = (some: Filters, others: Filters) =>
  (Object.keys(some) as (keyof Filters)[]).every((name) => some[name] === others[name]);

const sameOrder = (one: Order, other: Order) => one.sort === other.sort && one.direction === other.direction;

/** 'Fatture nel Sistema': all customers' invoices, with search, filters, order and actions. */
export function InvoiceDesk() {
  const { filters, order, setFilters, clear: clearAddress, setOrder } = useDeskAddress();
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  /** The filters under which rows were selected; others clear the selection. */
  const [narrowed, setNarrowed] = useState(filters);
  if (filters !== narrowed) {
    setNarrowed(filters);
    if (selected.size > 0 && !sameFilters(filters, narrowed)) setSelected(new Set());
  }
  const [fieldsKey, resetFields] = useFieldsKey();
  const table = useRef<HTMLDivElement>(null);
  const [chosenCustomer, setChosenCustomer] = useState<Customer | null>(null);
  const { userId = '' } = filters;
  const known = chosenCustomer?.id === userId ? chosenCustomer : null;
  const named = useQuery({ ...customerQuery(userId), enabled: userId !== '' && known === null });
  const customer = userId === '' ? null : (known ?? named.data ?? null);
  const list = useInfiniteQuery(adminInvoicesQuery({ ...filters, ...order }));
  /** The order in which rows were selected. */
  const [ordered, setOrdered] = useState(order);
  if (list.data && !list.isPlaceholderData && !sameOrder(order, ordered)) {
    // The list begins anew: a row further down would join a later selection unseen.
    setOrdered(order);
    const begun = new Set<string | number>(rowsOf(list.data.pages).map(numberOf));
    setSelected(new Set([...selected].filter((number) => begun.has(number))));
  }
  const today = useToday();
  const columns = useMemo(() => columnsOn(today), [today]);
  // What is overdue depends on the date.
  useOnNewDay(useInvoicesChanged());
  /** Whether what is shown was filtered: once the filters are removed, it stays until the answer. */
  const filtered = Object.values(filters).some(Boolean) || list.isPlaceholderData;

  const change = useCallback(
    ({ customer: chosen, ...values }: FilterChange) => {
      if (chosen !== undefined) setChosenCustomer(chosen);
      return setFilters(values);
    },
    [setFilters],
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
  /** Moves the focus from the bar, which disappears with the selection, to the table. */
  function deselect() {
    afterPaint(() => setSelected(new Set()));
    table.current?.querySelector('input')?.focus();
  }
  const select = useCallback(
    (keys: readonly (string | number)[], chosen: boolean) =>
      setSelected((current) => {
        const next = new Set(current);
        for (const key of keys) {
          if (chosen) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
    [],
  );

  return (
    <Section
      title="Fatture nel Sistema"
      actions={<ExportMenu load={(format) => exportAllInvoices({ ...filters, ...order }, format)} />}
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
          const chosen = invoices.filter(({ number }) => selected.has(number));
          if (!first || invoices.length === 0) {
            return (
              <EmptyState
                icon={IconFileInvoice}
                title={ADMIN_INVOICE_TEXTS.empty}
                action={filtered && <ClearFilters onClear={clear} />}
              >
                {filtered
                  ? 'Nessuna fattura corrisponde ai filtri.'
                  : 'Crea la prima: l’utente la vedrà subito.'}
              </EmptyState>
            );
          }
          return (
            <>
              <TotalsLine count={first.total} totals={first.totals} current={!list.isRefetching} />
              <SelectionBar chosen={chosen} onDone={deselect} />
              <div ref={table}>
                <DataTable
                  caption="Fatture nel sistema"
                  rows={invoices}
                  rowKey={numberOf}
                  title={numberOf}
                  cardTitle={shownNumber}
                  dense
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
