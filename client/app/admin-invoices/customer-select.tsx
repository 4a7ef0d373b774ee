import { DOT } from '#client/lib/words.ts';
import { type SearchFieldProps, SearchSelect } from '#client/ui/search-select.tsx';
import type { SelectOption } from '#client/ui/select-options.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { CUSTOMER_TEXTS, type Customer, customerLabel } from '#contract/customers.ts';
import { customersQuery } from './api.ts';

function customerOption(customer: Customer): SelectOption {
  return {
    value: customer.id,
    label: customerLabel(customer),
    details: [customer.companyName, customer.email].filter(Boolean).join(DOT),
  };
}

/** A select of all customers, searched on the server by name, e-mail and company. */
export const CustomerSelect = memoWithStableHandlers(function CustomerSelect({
  invoiceable = false,
  ...field
}: SearchFieldProps & {
  chosen: Customer | null;
  /** Whether only customers that can get a new invoice are offered. */
  invoiceable?: boolean;
  onChange: (customer: Customer | null) => void;
}) {
  return (
    <SearchSelect
      placeholder={CUSTOMER_TEXTS.placeholder}
      nothingFound={CUSTOMER_TEXTS.none}
      clearLabel="Togli la scelta"
      {...field}
      queryOf={(search) => customersQuery(search, invoiceable)}
      optionOf={customerOption}
    />
  );
});
