import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { startTransition } from 'react';
import { useAddressFilters } from '#client/lib/address-filters.ts';
import { focusTitleAbove } from '#client/ui/opener.ts';
import { projectQuery } from './api.ts';
import styles from './project-filter.module.css';

/** The project that the customer's list is limited to, and the button that ends that. */
export function ProjectFilter({ id }: { id: number }) {
  const [, change] = useAddressFilters<'progetto'>();
  const { data, isPending } = useQuery(projectQuery(id));
  const name = `Progetto: ${data?.name ?? (isPending ? '…' : 'non trovato')}`;
  return (
    <Button
      variant="default"
      classNames={{ root: styles.filter, label: styles.name }}
      rightSection={<IconX size={16} aria-hidden="true" />}
      aria-label={`${name}, togli il filtro`}
      onClick={({ currentTarget }) => {
        focusTitleAbove(currentTarget);
        startTransition(() => change({ progetto: '' }));
      }}
    >
      {name}
    </Button>
  );
}
