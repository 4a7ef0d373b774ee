import { useQuery } from '@tanstack/react-query';
import { RecordFilter } from '#client/ui/record-filter.tsx';
import { customerLabel } from '#contract/customers.ts';
import { userQuery } from './api.ts';

/**
 * The account whose records a list is limited to, or which it is limited to itself.
 * @param parameter where its id is in the URL
 * @param label what the list calls it
 */
export function AccountFilter({
  id,
  parameter,
  label,
}: {
  id: string;
  parameter: 'cliente' | 'utente';
  label: string;
}) {
  const { data, isPending } = useQuery(userQuery(id));
  const name = data ? customerLabel(data) : isPending ? '…' : 'non trovato';
  return <RecordFilter parameter={parameter} name={`${label}: ${name}`} />;
}
