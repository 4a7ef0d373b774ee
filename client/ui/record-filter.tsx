import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { startTransition } from 'react';
import { useAddressFilters } from '#client/lib/address-filters.ts';
import { focusTitleAbove } from './opener.ts';
import styles from './record-filter.module.css';

/**
 * The record that a list is limited to, and the button that ends that.
 * @param parameter where its id is in the URL
 * @param name what it is and is called
 */
export function RecordFilter({
  parameter,
  name,
}: {
  parameter: 'progetto' | 'cliente' | 'utente';
  name: string;
}) {
  const [, change] = useAddressFilters<'progetto' | 'cliente' | 'utente'>();
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
