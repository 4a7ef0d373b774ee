import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { usePhone } from '#client/ui/use-phone.ts';
import styles from './filter-bar.module.css';

/**
 * The search box and filters of a list. On a phone the filters are collapsed, so that the list is visible.
 * @param active how many filters are set
 */
export function FilterBar({
  search,
  active,
  children,
}: {
  search: ReactNode;
  active: number;
  children: ReactNode;
}) {
  const phone = usePhone();
  const [opened, { toggle }] = useDisclosure(active > 0);
  const id = useId();
  // The fields stay the same elements in both widths, so that turning the phone keeps the focus and what was typed.
  return (
    <search className={phone ? styles.folded : styles.filters}>
      <div className={styles.wide}>{search}</div>
      {phone && (
        <Button
          variant="default"
          fullWidth
          aria-expanded={opened}
          aria-controls={id}
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden="true" />}
          onClick={toggle}
        >
          {active > 0 ? `Filtri (${active})` : 'Filtri'}
        </Button>
      )}
      <div id={id} className={phone ? styles.filters : styles.beside} hidden={phone && !opened}>
        {children}
      </div>
    </search>
  );
}
