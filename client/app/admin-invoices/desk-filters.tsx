import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, useCallback, useMemo } from 'react';
import { FilterBar } from '#client/app/invoices/filter-bar.tsx';
import { FilterSelect } from '#client/app/invoices/filter-select.tsx';
import { PeriodFilter } from '#client/app/invoices/period-filter.tsx';
import { dayOf } from '#client/app/invoices/periods.ts';
import { SearchField } from '#client/app/invoices/search-field.tsx';
import { useAddressFilters, useShownAtOnce } from '#client/lib/address-filters.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { ADMIN_INVOICE_SORTS, type AdminInvoiceSort } from '#contract/admin-invoices.ts';
import type { Customer } from '#contract/customers.ts';
import { INVOICE_FILTERS, invoiceFilterOf } from '#contract/invoices.ts';
import type { AdminFilters } from './api.ts';
import { CustomerSelect } from './customer-select.tsx';
import styles from './desk-filters.module.css';

const SORT_NAMES: Record<AdminInvoiceSort, string> = {
  number: 'Fattura',
  customer: 'Utente',
  project: 'Progetto',
  issueDate: 'Data',
  amount: 'Importo',
  status: 'Stato',
};

/** With or without a file, as it stands in the address. */
const ADDRESS_FILES = { with: 'con', without: 'senza' } as const;
const fileOf = (text: string | null): keyof typeof ADDRESS_FILES | undefined =>
  text === ADDRESS_FILES.with ? 'with' : text === ADDRESS_FILES.without ? 'without' : undefined;

const FILE_CHOICES = [
  { value: ADDRESS_FILES.with, label: 'Con PDF' },
  { value: ADDRESS_FILES.without, label: 'Senza PDF' },
];
const SORT_CHOICES = ADMIN_INVOICE_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }));

/** How the table is ordered. */
export type Order = Pick<AdminFilters, 'sort' | 'direction'>;

/** What narrows the table. */
export type Filters = Omit<AdminFilters, keyof Order>;

/** Whether `key` names a column that orders the table. */
export const isSort = (key: string): key is AdminInvoiceSort =>
  ADMIN_INVOICE_SORTS.some((sort) => sort === key);

const addressOf = (sort: AdminInvoiceSort) => SORT_NAMES[sort].toLowerCase();

/** What the address narrows and orders the table by, and what changes it. */
export function useDeskAddress() {
  const [parameters, change] = useAddressFilters<
    'cerca' | 'cliente' | 'stato' | 'pdf' | 'dal' | 'al' | 'ordine' | 'verso'
  >();
  // The same ones as long as the address is: the fields are rendered again only for another.
  const filters: Filters = useMemo(
    () => ({
      search: parameters.get('cerca') ?? '',
      userId: parameters.get('cliente') ?? '',
      status: invoiceFilterOf(parameters.get('stato')),
      file: fileOf(parameters.get('pdf')),
      from: dayOf(parameters.get('dal')),
      to: dayOf(parameters.get('al')),
    }),
    [parameters],
  );
  const order: Order = useMemo(
    () => ({
      sort: ADMIN_INVOICE_SORTS.find((sort) => addressOf(sort) === parameters.get('ordine')) ?? 'issueDate',
      direction: parameters.get('verso') === 'crescente' ? 'asc' : 'desc',
    }),
    [parameters],
  );
  const setFilters = useCallback(
    (values: Partial<Omit<Filters, 'search'>>) =>
      change({
        ...('userId' in values && { cliente: values.userId ?? '' }),
        ...('status' in values && { stato: values.status ?? '' }),
        ...('file' in values && { pdf: values.file ? ADDRESS_FILES[values.file] : '' }),
        ...('from' in values && { dal: values.from ?? '' }),
        ...('to' in values && { al: values.to ?? '' }),
      }),
    [change],
  );
  const clear = useCallback(
    () => change({ cerca: '', cliente: '', stato: '', pdf: '', dal: '', al: '' }),
    [change],
  );
  const setOrder = useCallback(
    ({ sort, direction }: Order) =>
      change({
        ordine: sort === 'issueDate' ? '' : addressOf(sort),
        verso: direction === 'asc' ? 'crescente' : '',
      }),
    [change],
  );
  return { filters, order, setFilters, clear, setOrder };
}

/** What a change of the filters holds; of the customer also the name. */
export type FilterChange = Partial<Omit<Filters, 'search'>> & { customer?: Customer | null };

/**
 * The filters and the order of every customer's invoices. Rendered again only for those: not when a row is chosen, which
 * would cost more than the row.
 */
export const DeskFilters = memo(function DeskFilters({
  filters,
  customer,
  order,
  round,
  onChange,
  onOrder,
}: {
  filters: Filters;
  /** The customer behind the filter, so that it has a name before any search. */
  customer: Customer | null;
  order: Order;
  /** Another one empties what the fields hold besides the filters: what is being typed. */
  round: string;
  onChange: (change: FilterChange) => Promise<void>;
  onOrder: (order: Order) => Promise<void>;
}) {
  const [shown, change] = useShownAtOnce({ ...filters, customer }, onChange);
  const [{ sort, direction }, changeOrder] = useShownAtOnce(order, onOrder);
  const { userId, status, file, from, to } = shown;
  const ascending = direction === 'asc';
  return (
    <FilterBar
      active={[userId, status, file, from ?? to].filter(Boolean).length}
      search={<SearchField label="Cerca" placeholder="Numero, utente, progetto, azienda" />}
    >
      <CustomerSelect
        key={`customer-${round}`}
        label="Utente"
        placeholder="Tutti"
        chosen={shown.customer}
        onChange={(chosen) => change({ customer: chosen, userId: chosen?.id })}
      />
      <FilterSelect
        label="Stato"
        placeholder="Tutti"
        clearLabel="Tutti gli stati"
        data={INVOICE_FILTERS}
        value={status ?? null}
        onChange={(chosen) => change({ status: invoiceFilterOf(chosen) })}
      />
      <FilterSelect
        label="File PDF"
        placeholder="Tutte"
        clearLabel="Con e senza PDF"
        data={FILE_CHOICES}
        value={file ? ADDRESS_FILES[file] : null}
        onChange={(chosen) => change({ file: fileOf(chosen) })}
      />
      <PeriodFilter key={`period-${round}`} period={{ from, to }} onChange={change} />
      <div className={styles.order}>
        <FilterSelect
          label="Ordina per"
          data={SORT_CHOICES}
          value={sort}
          onChange={(chosen) => chosen && isSort(chosen) && changeOrder({ sort: chosen, direction })}
        />
        <IconButton
          bordered
          size="large"
          aria-label={ascending ? 'Passa all’ordine decrescente' : 'Passa all’ordine crescente'}
          onClick={() => changeOrder({ sort, direction: ascending ? 'desc' : 'asc' })}
        >
          {ascending ? (
            <IconArrowUp size={18} aria-hidden="true" />
          ) : (
            <IconArrowDown size={18} aria-hidden="true" />
          )}
        </IconButton>
      </div>
    </FilterBar>
  );
});
