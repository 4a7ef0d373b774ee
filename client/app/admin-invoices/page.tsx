import { IconLock, IconShieldCheck } from '@tabler/icons-react';
import { useMe } from '#client/lib/session.ts';
import { useUrlDialog } from '#client/lib/url-dialog.ts';
import { Badge } from '#client/ui/badge.tsx';
import { EmptyState } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ADMIN_INVOICE_TEXTS } from '#contract/admin-invoices.ts';
import { CreateInvoiceDialog } from './create-dialog.tsx';
import { InvoiceDesk } from './invoice-desk.tsx';
import { InvoiceDialogs } from './invoice-dialogs.tsx';

/** /app/admin/invoices (spec §2): everything the invoice administrator does. */
export default function AdminInvoicesPage() {
  const { permissions } = useMe();
  const [creating, { open, close }] = useUrlDialog('nuova');
  if (!permissions.manageAllInvoices) {
    return (
      <>
        <PageHeader title={ADMIN_INVOICE_TEXTS.denied} />
        <EmptyState icon={IconLock} title={ADMIN_INVOICE_TEXTS.deniedDetail} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Gestione Fatture Admin"
        badge={
          <Badge tone="blue" icon={IconShieldCheck}>
            Amministratore
          </Badge>
        }
      />
      <InvoiceDialogs>
        <InvoiceDesk onCreate={open} />
      </InvoiceDialogs>
      {creating && <CreateInvoiceDialog onClose={close} />}
    </>
  );
}
