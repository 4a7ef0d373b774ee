import { useQuery } from '@tanstack/react-query';
import { RecordFilter } from '#client/ui/record-filter.tsx';
import { projectQuery } from './api.ts';

/** The project that the customer's list is limited to. */
export function ProjectFilter({ id }: { id: number }) {
  const { data, isPending } = useQuery(projectQuery(id));
  return (
    <RecordFilter
      parameter="progetto"
      name={`Progetto: ${data?.name ?? (isPending ? '…' : 'non trovato')}`}
    />
  );
}
