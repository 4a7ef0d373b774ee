import { Button } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconClock,
  IconCopy,
  IconFilter,
  IconHistory,
  IconMail,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { toast } from '#client/lib/toast.ts';
import { useRowMenuPosition } from '#client/ui/data-table-row.tsx';
import { Link } from '#client/ui/link.tsx';
import { Menu } from '#client/ui/menu.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice } from '#contract/admin-invoices.ts';
import { customerLabel } from '#contract/customers.ts';
import { isErased } from '#contract/erasures.ts';
import { useSetStatus } from './api.ts';
import styles from './invoice-desk.module.css';
import { useOpenInvoiceDialog } from './invoice-dialogs.tsx';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * Actions on an invoice: toggle its state, edit it, begin another from it, delete it; and the ways to its customer. Must be
 * below `InvoiceDialogs`.
 */
export function RowActions({ invoice }: { invoice: AdminInvoice }) {
  const setStatus = useSetStatus();
  const open = useOpenInvoiceDialog();
  const { number, customer } = invoice;
  const next = invoice.status === 'Pagata' ? 'Da Pagare' : 'Pagata';
  const position = useRowMenuPosition();
  const inPlace = useFocusInPlace();
  const toggle = () =>
    inPlace(async () => {
      await setStatus.mutateAsync({ numbers: [number], status: next });
      // With its number: it may have left the list, where it was pressed by mistake.
      toast({ title: ADMIN_INVOICE_TEXTS.statusChanged(next), message: number });
    });
  return (
    <Menu position={position}>
      <Menu.Target>
        <Button
          className={styles.actions}
          variant="default"
          size="compact-sm"
          // Its column is as wide as the word; a wider button would overlap the column before.
          miw="max-content"
          loading={setStatus.isPending}
          rightSection={<IconChevronDown {...icon} size={16} />}
          aria-label={`Azioni sulla fattura ${number}`}
        >
          <span className={styles.word}>Azioni</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={next === 'Pagata' ? <IconCheck {...icon} /> : <IconClock {...icon} />}
          onClick={toggle}
        >
          Segna come {next}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => open({ kind: 'edit', invoice })}>
          Modifica
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => open({ kind: 'copy', invoice })}>
          Duplica
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => open({ kind: 'history', invoice })}>
          Cronologia
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconFilter {...icon} />}
          component={Link}
          to={`?cliente=${encodeURIComponent(invoice.userId)}`}
        >
          <span className={styles.named}>Fatture di {customerLabel(customer)}</span>
        </Menu.Item>
        {!isErased(customer) && (
          <Menu.Item
            leftSection={<IconMail {...icon} />}
            component="a"
            href={`mailto:${customer.email}?subject=${encodeURIComponent(`Fattura ${number}`)}`}
          >
            <span className={styles.named}>Scrivi a {customer.email}</span>
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...icon} />}
          onClick={() => open({ kind: 'remove', invoice })}
        >
          Elimina
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
