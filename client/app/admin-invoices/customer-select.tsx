import { Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CUSTOMER_TEXTS, type Customer, customerLabel } from '#contract/customers.ts';
import { customerProjectsQuery, customersQuery } from './api.ts';

const TYPING_MS = 200;

/**
 * What a search on the server needs. What is `sought` follows the text a little later; until its answer is there the
 * options of the search before are not offered, so that nobody who types fast picks one of them.
 * @param label what the field shows for the chosen option: its own name is no search
 */
function useSearch(label: string) {
  const [search, setSearch] = useState('');
  const wanted = search === label ? '' : search.trim();
  const [sought] = useDebouncedValue(wanted, TYPING_MS);
  return { search, setSearch, sought, typing: sought !== wanted };
}

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'onSearchChange' | 'searchValue'>;

/** Any of the customers, searched on the server by name, e-mail and company. */
export function CustomerSelect({
  value,
  chosen,
  onChange,
  ...field
}: Props & {
  value: string;
  /** The customer behind `value`, so that it has a name before any search. */
  chosen: Customer | null;
  onChange: (customer: Customer | null) => void;
}) {
  const { search, setSearch, sought, typing } = useSearch(chosen ? customerLabel(chosen) : '');
  const query = useQuery(customersQuery(sought));
  const found = query.data?.items ?? [];
  const customers = chosen && !found.some(({ id }) => id === chosen.id) ? [...found, chosen] : found;
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return (
    <Select
      searchable
      openOnFocus={false}
      clearable
      placeholder={CUSTOMER_TEXTS.placeholder}
      nothingFoundMessage={typing || query.isFetching ? 'Ricerca in corso…' : CUSTOMER_TEXTS.none}
      clearButtonProps={{ 'aria-label': 'Togli la scelta' }}
      {...field}
      data={customers.map((customer) => ({ value: customer.id, label: customerLabel(customer) }))}
      // The server has searched, also in what the label does not show.
      filter={({ options }) => (typing ? [] : options)}
      renderOption={({ option }) => <CustomerOption customer={byId.get(option.value)} />}
      value={value || null}
      onChange={(id) => onChange((id && byId.get(id)) || null)}
      searchValue={search}
      onSearchChange={setSearch}
    />
  );
}

function CustomerOption({ customer }: { customer: Customer | undefined }) {
  if (!customer) return null;
  return (
    <div>
      <Text fw={600} size="sm">
        {customerLabel(customer)}
      </Text>
      <Text size="xs" c="dimmed">
        {[customer.companyName, customer.email].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}

/** One of the projects of `customerId`; closed until a customer is chosen. */
export function CustomerProjectSelect({
  customerId,
  value,
  current,
  onChange,
  disabled,
  ...field
}: Props & {
  customerId: string;
  value: string;
  /** The project an invoice has already, so that it has a name before any search. */
  current?: { id: number; name: string } | null;
  onChange: (projectId: string) => void;
}) {
  const [label, setLabel] = useState(current?.name ?? '');
  const { search, setSearch, sought, typing } = useSearch(label);
  const query = useQuery(customerProjectsQuery(customerId, sought));
  const found = query.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  const kept = current && !found.some((option) => option.value === String(current.id));
  const options = kept ? [...found, { value: String(current.id), label: current.name }] : found;
  return (
    <Select
      searchable
      openOnFocus={false}
      placeholder={customerId ? CUSTOMER_TEXTS.projectPlaceholder : CUSTOMER_TEXTS.noCustomer}
      nothingFoundMessage={typing || query.isFetching ? 'Ricerca in corso…' : CUSTOMER_TEXTS.noProjects}
      {...field}
      disabled={disabled || !customerId}
      data={options}
      filter={({ options: all }) => (typing ? [] : all)}
      value={value || null}
      onChange={(id, option) => {
        setLabel(option?.label ?? '');
        onChange(id ?? '');
      }}
      searchValue={search}
      onSearchChange={setSearch}
    />
  );
}
