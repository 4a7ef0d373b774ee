import { memo } from 'react';
import { useAddressSearch } from '#client/lib/address-filters.ts';
import { SearchInput } from '#client/ui/search-input.tsx';

/** The search box of a list of invoices, stored in the URL. */
export const SearchField = memo(function SearchField({
  label,
  placeholder,
}: {
  label: string;
  placeholder: string;
}) {
  const { typed, setTyped } = useAddressSearch();
  return <SearchInput label={label} placeholder={placeholder} value={typed} onChange={setTyped} />;
});
