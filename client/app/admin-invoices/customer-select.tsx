import { Select, type SelectProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clearable } from '#client/app/invoices/clearable.ts';
import { useSearch } from '#client/app/invoices/use-search.ts';
import { steady } from '#client/ui/steady.tsx';
import { CUSTOMER_TEXTS, type Customer, customerLabel } from '#contract/customers.ts';
import { customersQuery } from './api.ts';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'onSearchChange' | 'searchValue'>;

/** Any of the customers, searched on the server by name, e-mail and company. */
export const CustomerSelect = steady(function CustomerSelect({
  value,
  chosen,
  invoiceable = false,
  onChange,
  ...field
}: Props & {
  value: string;
  /** The customer behind `value`, so that it has a name before any search. */
  chosen: Customer | null;
  /** Whether only those are offered that can be given a new invoice. */
  invoiceable?: boolean;
  onChange: (customer: Customer | null) => void;
}) {
  const { search, setSearch, sought, typing } = useSearch(chosen ? customerLabel(chosen) : '');
  const query = useQuery(customersQuery(sought, invoiceable));
  const found = query.data?.items ?? [];
  const customers = chosen && !found.some(({ id }) => id === chosen.id) ? [...found, chosen] : found;
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return (
    <Select
      searchable
      openOnFocus={false}
      placeholder={CUSTOMER_TEXTS.placeholder}
      nothingFoundMessage={typing || query.isFetching ? 'Ricerca in corso…' : CUSTOMER_TEXTS.none}
      {...clearable('Togli la scelta')}
      {...field}
      data={customers.map((customer) => ({ value: customer.id, label: customerLabel(customer) }))}
      // The server has searched, also in what the label does not show.
      filter={({ options }) => (typing ? [] : options)}
      renderOption={({ option }) => <CustomerOption customer={byId.get(option.value)} />}
      value={value || null}
      onChange={(id) => {
        const customer = (id && byId.get(id)) || null;
        // With the choice, and not in a second rendering after it.
        setSearch(customer ? customerLabel(customer) : '');
        onChange(customer);
      }}
      searchValue={search}
      onSearchChange={setSearch}
    />
  );
});

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
