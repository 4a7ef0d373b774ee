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

/** With or without a file, as written in the URL. */
const ADDRESS_FILES = { with: 'con', without: 'senza' } as const;
const fileOf = (text: string | null): keyof typeof ADDRESS_FILES | undefined =>
  text === ADDRESS_FILES.with ? 'with' : text === ADDRESS_FILES.without ? 'without' : undefined;

const FILE_CHOICES = [
  { value: ADDRESS_FILES.with, label: 'Con PDF' },
  { value: ADDRESS_FILES.without, label: 'Senza PDF' },
];
const SORT_CHOICES = ADMIN_INVOICE_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }));

/** The order of the table. */
export type Order = Pick<AdminFilters, 'sort' | 'direction'>;

/** The filters of the table. */
export type Filters = Omit<AdminFilters, keyof Order>;

/** Whether the table can be sorted by the column `key`. */
export const isSort = (key: string): key is AdminInvoiceSort =>
  ADMIN_INVOICE_SORTS.some((sort) => sort === key);

const addressOf = (sort: AdminInvoiceSort) => SORT_NAMES[sort].toLowerCase();

/** The table's filters and order in the URL, and functions that change them. */
export function useDeskAddress() {
  const [parameters, change] = useAddressFilters<
    'cerca' | 'cliente' | 'stato' | 'pdf' | 'dal' | 'al' | 'ordine' | 'verso'
  >();
  // Memoized by URL, so that the fields are only rendered again when it changes.
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

/** A change of filters; for the customer it includes the name. */
export type FilterChange = Partial<Omit<Filters, 'search'>> & { customer?: Customer | null };

/**
 * The filters and order of all customers' invoices. Memoized, because rendering them would cost more than rendering the
 * row that is being selected.
 */
export const DeskFilters = memo(function DeskFilters({
  filters,
  customer,
  order,
  fieldsKey,
  onChange,
  onOrder,
}: {
  filters: Filters;
  /** The customer of the filter, so that the name can be shown before any search. */
  customer: Customer | null;
  order: Order;
  /** Changing it resets the unapplied text in the fields. */
  fieldsKey: string;
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
      search={<SearchField label="Cerca" placeholder="Numero, progetto o utente" />}
    >
      <CustomerSelect
        key={`customer-${fieldsKey}`}
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
      <PeriodFilter key={`period-${fieldsKey}`} period={{ from, to }} onChange={change} />
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
