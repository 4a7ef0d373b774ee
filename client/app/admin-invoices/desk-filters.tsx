import { Select } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import { clearable } from '#client/app/invoices/clearable.ts';
import { FilterBar } from '#client/app/invoices/filter-bar.tsx';
import { PeriodFilter } from '#client/app/invoices/period-filter.tsx';
import { SearchField } from '#client/app/invoices/search-field.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { ADMIN_INVOICE_SORTS, type AdminInvoiceSort } from '#contract/admin-invoices.ts';
import type { Customer } from '#contract/customers.ts';
import { INVOICE_FILTERS, type InvoiceFilter } from '#contract/invoices.ts';
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

const FILES = { with: 'Con PDF', without: 'Senza PDF' } as const;
const isFile = (key: string | null): key is keyof typeof FILES => key === 'with' || key === 'without';

/** How the table is ordered. */
export type Order = Pick<AdminFilters, 'sort' | 'direction'>;

/** What narrows the table, with the customer as the field names them. */
export type Filters = Omit<AdminFilters, keyof Order | 'userId'> & { customer: Customer | null };

/** Whether `key` names a column that orders the table. */
export const isSort = (key: string): key is AdminInvoiceSort =>
  ADMIN_INVOICE_SORTS.some((sort) => sort === key);

/**
 * The filters and the order of every customer's invoices. Rendered again only for those: not when a row is chosen, which
 * would cost more than the row.
 */
export const DeskFilters = memo(function DeskFilters({
  filters,
  order,
  round,
  onChange,
  onOrder,
}: {
  filters: Filters;
  order: Order;
  /** Another one empties what the fields hold besides the filters: what is being typed. */
  round: number;
  onChange: (values: Partial<Filters>) => void;
  onOrder: (order: Order) => void;
}) {
  const { customer, status, file, from, to } = filters;
  const ascending = order.direction === 'asc';
  return (
    <FilterBar
      active={[customer, status, file, from ?? to].filter(Boolean).length}
      search={
        <SearchField
          key={`search-${round}`}
          label="Cerca"
          placeholder="Numero, cliente, progetto, azienda"
          initial=""
          onSearch={(search) => onChange({ search })}
        />
      }
    >
      <CustomerSelect
        key={`customer-${round}`}
        label="Cliente"
        placeholder="Tutti"
        chosen={customer}
        onChange={(chosen) => onChange({ customer: chosen })}
      />
      <Select
        label="Stato"
        placeholder="Tutti"
        {...clearable('Tutti gli stati')}
        data={INVOICE_FILTERS}
        value={status ?? null}
        onChange={(chosen) => onChange({ status: (chosen ?? undefined) as InvoiceFilter | undefined })}
      />
      <Select
        label="File PDF"
        placeholder="Tutte"
        {...clearable('Con e senza PDF')}
        data={Object.entries(FILES).map(([value, label]) => ({ value, label }))}
        value={file ?? null}
        onChange={(chosen) => onChange({ file: isFile(chosen) ? chosen : undefined })}
      />
      <PeriodFilter key={`period-${round}`} period={{ from, to }} onChange={onChange} />
      <div className={styles.order}>
        <Select
          label="Ordina per"
          allowDeselect={false}
          data={ADMIN_INVOICE_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
          value={order.sort}
          onChange={(sort) => sort && isSort(sort) && onOrder({ ...order, sort })}
        />
        <IconButton
          bordered
          size="large"
          aria-label={ascending ? 'Ordine crescente' : 'Ordine decrescente'}
          onClick={() => onOrder({ ...order, direction: ascending ? 'desc' : 'asc' })}
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
