import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { InvoiceNumber } from '#client/app/invoices/invoice-number.tsx';
import { DOT } from '#client/lib/words.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import type { AdminInvoice, InvoiceEvent } from '#contract/admin-invoices.ts';
import { formatDate, formatDateTime, isCalendarDate } from '#contract/dates.ts';
import { formatEuro } from '#contract/money.ts';
import { invoiceEventsQuery } from './api.ts';
import styles from './history.module.css';

const ACTIONS: Record<InvoiceEvent['action'], string> = {
  created: 'Fattura creata',
  updated: 'Fattura modificata',
  status: 'Stato cambiato',
  file_uploaded: 'PDF caricato',
  file_replaced: 'PDF sostituito',
  file_deleted: 'PDF eliminato',
  deleted: 'Fattura eliminata',
};

const FIELDS: Record<string, string> = {
  amount: 'Importo',
  issueDate: 'Data emissione',
  dueDate: 'Scadenza',
  projectName: 'Progetto',
  description: 'Descrizione',
  status: 'Stato',
  fileName: 'File',
};

function shown(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nessuna';
  if (field === 'amount' && typeof value === 'number') return formatEuro(value);
  return typeof value === 'string' && isCalendarDate(value) ? formatDate(value) : String(value);
}

/** One line per field: 'Importo: € 100,00 → € 120,00'. */
function linesOf({ detail }: InvoiceEvent): string[] {
  return Object.entries(detail).flatMap(([field, value]) => {
    if (field === 'projectId' && !('projectName' in detail)) return ['Progetto: un altro con lo stesso nome'];
    const name = FIELDS[field];
    if (!name) return [];
    const text = Array.isArray(value)
      ? `${shown(field, value[0])} → ${shown(field, value[1])}`
      : shown(field, value);
    return [`${name}: ${text}`];
  });
}

/** The history of an invoice, with its description. */
export function InvoiceHistory({ invoice, onClose }: { invoice: AdminInvoice; onClose: () => void }) {
  const events = useQuery(invoiceEventsQuery(invoice));
  return (
    <Dialog opened onClose={onClose} title="Cronologia" size="lg">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where it does not fit, the keys scroll what has the focus */}
      <section className={styles.history} tabIndex={0} aria-label="Operazioni registrate">
        <InvoiceNumber number={invoice.number} />
        {invoice.description && (
          <div>
            <Text fw={600}>Descrizione</Text>
            <Text className={styles.description}>{invoice.description}</Text>
          </div>
        )}
        <Loaded query={events} skeleton={<RowsSkeleton rows={2} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Text c="dimmed">Nessuna operazione registrata.</Text>
            ) : (
              <Timeline active={items.length - 1} bulletSize={14} lineWidth={2} role="list">
                {items.map((event) => (
                  <Timeline.Item key={event.id} role="listitem" title={ACTIONS[event.action]}>
                    <Text size="sm" c="dimmed">
                      {[formatDateTime(event.at), event.actor ?? 'Sistema'].join(DOT)}
                    </Text>
                    {linesOf(event).map((line) => (
                      <Text key={line} size="sm">
                        {line}
                      </Text>
                    ))}
                  </Timeline.Item>
                ))}
              </Timeline>
            )
          }
        </Loaded>
      </section>
    </Dialog>
  );
}
