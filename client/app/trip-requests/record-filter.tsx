import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { startTransition } from 'react';
import { useAddressFilters } from '#client/lib/address-filters.ts';
import { focusTitleAbove } from '#client/ui/opener.ts';
import { customerLabel } from '#contract/customers.ts';
import { accountQuery, projectQuery } from './api.ts';
import styles from './record-filter.module.css';

/**
 * The record that a list is limited to, and the button that ends that.
 * @param parameter where its id is in the URL
 * @param name what it is and is called
 */
function RecordFilter({ parameter, name }: { parameter: 'progetto' | 'cliente'; name: string }) {
  const [, change] = useAddressFilters<'progetto' | 'cliente'>();
  return (
    <Button
      variant="default"
      classNames={{ root: styles.filter, label: styles.name, section: styles.cross }}
      rightSection={<IconX size={16} aria-hidden="true" />}
      aria-label={`${name}, togli il filtro`}
      onClick={({ currentTarget }) => {
        focusTitleAbove(currentTarget);
        startTransition(() => change({ [parameter]: '' }));
      }}
    >
      {name}
    </Button>
  );
}

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

/** The customer whom the administrator's list is limited to. */
export function CustomerFilter({ id }: { id: string }) {
  const { data, isPending } = useQuery(accountQuery(id));
  const name = data ? customerLabel(data) : isPending ? '…' : 'non trovato';
  return <RecordFilter parameter="cliente" name={`Cliente: ${name}`} />;
}
