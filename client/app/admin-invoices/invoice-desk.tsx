import { Button, Group, Select, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconFileInvoice, IconFilterOff } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { clearable } from '#client/app/invoices/clearable.ts';
import { FilterBar } from '#client/app/invoices/filter-bar.tsx';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { formatOptionalDate, invoiceCount, shownStatus } from '#client/app/invoices/invoice-words.ts';
import { PeriodFilter } from '#client/app/invoices/period-filter.tsx';
import { SearchField } from '#client/app/invoices/search-field.tsx';
import { TotalsLine } from '#client/app/invoices/totals-line.tsx';
import { counted } from '#client/lib/words.ts';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { toast } from '#client/ui/toast.ts';
import {
  ADMIN_INVOICE_SORTS,
  ADMIN_INVOICE_TEXTS,
  type AdminInvoice,
  type AdminInvoiceSort,
} from '#contract/admin-invoices.ts';
import { type Customer, customerLabel } from '#contract/customers.ts';
import { formatDate, todayInRome } from '#contract/dates.ts';
import { INVOICE_FILTERS, type InvoiceFilter } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { type AdminFilters, adminInvoicesQuery, useSetStatus } from './api.ts';
import { CustomerSelect } from './customer-select.tsx';
import { FileCell } from './file-cell.tsx';
import styles from './invoice-desk.module.css';
import { RowActions } from './row-actions.tsx';

const SORT_NAMES: Record<AdminInvoiceSort, string> = {
  number: 'Fattura',
  customer: 'Utente',
  project: 'Progetto',
  issueDate: 'Data',
  amount: 'Importo',
  status: 'Stato',
};

const isSort = (key: string): key is AdminInvoiceSort => ADMIN_INVOICE_SORTS.some((sort) => sort === key);
const FILES = { with: 'Con PDF', without: 'Senza PDF' } as const;
const isFile = (key: string | null): key is keyof typeof FILES => key === 'with' || key === 'without';

function Status({ invoice }: { invoice: AdminInvoice }) {
  return <StatusBadge status={shownStatus(invoice, todayInRome())} />;
}

function IssueDate({ invoice }: { invoice: AdminInvoice }) {
  const future = invoice.issueDate > todayInRome();
  return (
    <>
      {formatDate(invoice.issueDate)}
      <Text size="xs" c="dimmed">
        {future ? 'non ancora visibile' : `scade ${formatOptionalDate(invoice.dueDate)}`}
      </Text>
    </>
  );
}

const COLUMNS: Column<AdminInvoice>[] = [
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
    cell: (invoice) => <IssueDate invoice={invoice} />,
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
    cell: (invoice) => <Status invoice={invoice} />,
  },
  { key: 'file', header: 'File PDF', nowrap: true, cell: (invoice) => <FileCell invoice={invoice} /> },
];

const NO_FILTERS = {
  search: '',
  status: undefined,
  userId: '',
  file: undefined,
  from: undefined,
  to: undefined,
} satisfies Omit<AdminFilters, 'sort' | 'direction'>;

const numberOf = ({ number }: AdminInvoice) => number;
const shownNumber = ({ number }: AdminInvoice) => <InvoiceNumber number={number} />;
const shownState = (invoice: AdminInvoice) => <Status invoice={invoice} />;
const actionsOf = (invoice: AdminInvoice) => <RowActions invoice={invoice} />;

/** Several chosen rows, and what can be done with all of them. */
function SelectionBar({ chosen, onDone }: { chosen: readonly AdminInvoice[]; onDone: () => void }) {
  const setStatus = useSetStatus();
  const unpaid = chosen.filter(({ status }) => status === 'Da Pagare');
  const sum = chosen.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
  return (
    <div className={styles.selection} role="status">
      <Text fw={600}>
        {counted(chosen.length, 'fattura selezionata', 'fatture selezionate')} · {formatEuro(sum)}
      </Text>
      <Group gap="xs">
        <Button
          size="compact-md"
          disabled={unpaid.length === 0}
          loading={setStatus.isPending}
          onClick={() =>
            setStatus.mutate(
              { numbers: unpaid.map(({ number }) => number), status: 'Pagata' },
              {
                onSuccess: ({ status, changed }) => {
                  toast({
                    title: ADMIN_INVOICE_TEXTS.statusChanged(status),
                    message: invoiceCount(changed),
                  });
                  onDone();
                },
                onError: (error) => toast({ title: error.message, kind: 'error' }),
              },
            )
          }
        >
          {chosen.length === 1 ? 'Segna come Pagata' : 'Segna come Pagate'}
        </Button>
        <Button size="compact-md" variant="default" aria-label="Annulla la selezione" onClick={onDone}>
          Annulla
        </Button>
      </Group>
    </div>
  );
}

/** 'Fatture nel Sistema': every customer's invoices, searched, filtered, ordered, worked on. */
export function InvoiceDesk() {
  const [filters, setFilters] = useState<Omit<AdminFilters, 'sort' | 'direction'>>(NO_FILTERS);
  const [customer, setCustomer] = useState<Customer | null>(null);
  const [order, setOrder] = useState<Pick<AdminFilters, 'sort' | 'direction'>>({
    sort: 'issueDate',
    direction: 'desc',
  });
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  /** Raised to empty the search box together with the other filters. */
  const [round, setRound] = useState(0);
  const table = useRef<HTMLDivElement>(null);
  const list = useInfiniteQuery(adminInvoicesQuery({ ...filters, ...order }));
  const active = Object.values(filters).some(Boolean);

  function change(values: Partial<typeof filters>) {
    setSelected(new Set());
    setFilters((current) => ({ ...current, ...values }));
  }
  function clear() {
    change(NO_FILTERS);
    setCustomer(null);
    setRound((current) => current + 1);
  }
  function sortBy(key: string) {
    if (!isSort(key)) return;
    setOrder(({ sort, direction }) => ({
      sort: key,
      direction: sort === key && direction === 'asc' ? 'desc' : 'asc',
    }));
  }
  /** The focus was in the bar, which goes with the selection. */
  function deselect() {
    setSelected(new Set());
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
    <Section title="Fatture nel Sistema">
      <FilterBar
        active={
          [filters.userId, filters.status, filters.file, filters.from ?? filters.to].filter(Boolean).length
        }
        search={
          <SearchField
            key={`search-${round}`}
            label="Cerca"
            placeholder="Numero, cliente, progetto, azienda"
            initial=""
            onSearch={(search) => change({ search })}
          />
        }
      >
        <CustomerSelect
          key={`customer-${round}`}
          label="Cliente"
          placeholder="Tutti"
          value={filters.userId ?? ''}
          chosen={customer}
          onChange={(chosen) => {
            setCustomer(chosen);
            change({ userId: chosen?.id ?? '' });
          }}
        />
        <Select
          label="Stato"
          placeholder="Tutti"
          {...clearable('Tutti gli stati')}
          data={INVOICE_FILTERS}
          value={filters.status ?? null}
          onChange={(status) => change({ status: (status ?? undefined) as InvoiceFilter | undefined })}
        />
        <Select
          label="File PDF"
          placeholder="Tutte"
          {...clearable('Con e senza PDF')}
          data={Object.entries(FILES).map(([value, label]) => ({ value, label }))}
          value={filters.file ?? null}
          onChange={(file) => change({ file: isFile(file) ? file : undefined })}
        />
        <PeriodFilter
          key={`period-${round}`}
          period={{ from: filters.from, to: filters.to }}
          onChange={change}
        />
        <div className={styles.order}>
          <Select
            label="Ordina per"
            allowDeselect={false}
            data={ADMIN_INVOICE_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
            value={order.sort}
            onChange={(sort) => sort && isSort(sort) && setOrder({ ...order, sort })}
          />
          <IconButton
            bordered
            size="large"
            aria-label={order.direction === 'asc' ? 'Ordine crescente' : 'Ordine decrescente'}
            onClick={() => setOrder({ ...order, direction: order.direction === 'asc' ? 'desc' : 'asc' })}
          >
            {order.direction === 'asc' ? (
              <IconArrowUp size={18} aria-hidden="true" />
            ) : (
              <IconArrowDown size={18} aria-hidden="true" />
            )}
          </IconButton>
        </div>
      </FilterBar>
      <Loaded
        query={list}
        errorTitle="Errore nel caricamento delle fatture"
        skeleton={<RowsSkeleton rows={8} label="Caricamento delle fatture…" />}
      >
        {({ pages }) => {
          const [first] = pages;
          const invoices = pages.flatMap(({ items }) => items);
          const chosen = invoices.filter(({ number }) => selected.has(number));
          if (!first || invoices.length === 0) {
            return (
              <EmptyState
                icon={IconFileInvoice}
                title={ADMIN_INVOICE_TEXTS.empty}
                action={
                  active && (
                    <Button
                      variant="default"
                      leftSection={<IconFilterOff size={18} stroke={1.75} aria-hidden="true" />}
                      onClick={clear}
                    >
                      Togli i filtri
                    </Button>
                  )
                }
              >
                {active
                  ? 'Nessuna fattura corrisponde ai filtri.'
                  : 'Crea la prima: il cliente la vedrà subito, con il suo PDF.'}
              </EmptyState>
            );
          }
          return (
            <>
              <TotalsLine count={first.total} totals={first.totals} />
              {chosen.length > 0 && <SelectionBar chosen={chosen} onDone={deselect} />}
              <div ref={table}>
                <DataTable
                  caption="Fatture nel sistema"
                  rows={invoices}
                  rowKey={numberOf}
                  title={numberOf}
                  cardTitle={shownNumber}
                  dense
                  tableFrom="(min-width: 88em)"
                  cardBadge={shownState}
                  columns={COLUMNS}
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
                hasMore={list.hasNextPage}
                loading={list.isFetchingNextPage}
                onMore={() => list.fetchNextPage()}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
