import { Button, Text } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconClock,
  IconHistory,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { useRowMenuPosition } from '#client/ui/data-table.tsx';
import { Menu } from '#client/ui/menu.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { toast, toastFailure } from '#client/ui/toast.ts';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice } from '#contract/admin-invoices.ts';
import { customerLabel } from '#contract/customers.ts';
import { formatEuro } from '#contract/money.ts';
import { useRemoveInvoice, useSetStatus } from './api.ts';
import { EditInvoiceDialog } from './edit-dialog.tsx';
import { InvoiceHistory } from './history.tsx';
import styles from './invoice-desk.module.css';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** What can be done with one invoice: toggle its state, edit it, delete it. */
export function RowActions({ invoice }: { invoice: AdminInvoice }) {
  const setStatus = useSetStatus();
  const remove = useRemoveInvoice();
  const { number } = invoice;
  const [dialog, setDialog] = useKeptState<'edit' | 'history' | 'remove' | null>(`invoice ${number}`, null);
  const next = invoice.status === 'Pagata' ? 'Da Pagare' : 'Pagata';
  const close = () => setDialog(null);
  const position = useRowMenuPosition();
  const keepPlace = useFocusInPlace();
  const toggle = () => {
    const focusPlace = keepPlace();
    // A promise, because callbacks of mutate() are dropped with the row, which may leave a filtered list.
    return setStatus
      .mutateAsync({ numbers: [number], status: next })
      .then(() => toast({ title: ADMIN_INVOICE_TEXTS.statusChanged(next) }), toastFailure)
      .finally(focusPlace);
  };
  return (
    <>
      <Menu position={position}>
        <Menu.Target>
          <Button
            className={styles.actions}
            variant="default"
            size="compact-sm"
            // Its column is as wide as its word: otherwise it lies over the one before.
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
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setDialog('edit')}>
            Modifica
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => setDialog('history')}>
            Cronologia
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => setDialog('remove')}>
            Elimina
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditInvoiceDialog invoice={invoice} onClose={close} />}
      {dialog === 'history' && <InvoiceHistory invoice={invoice} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'remove'}
        title="Elimina Fattura"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(number);
          toast({ title: ADMIN_INVOICE_TEXTS.deleted });
        }}
      >
        <Text>
          La fattura <strong>{number}</strong> di {formatEuro(invoice.amount)} per{' '}
          {customerLabel(invoice.customer)} sarà eliminata in modo irreversibile
          {invoice.fileName !== null && ', con il suo PDF'}.
        </Text>
      </ConfirmDialog>
    </>
  );
}
