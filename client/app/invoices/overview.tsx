import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconFileInvoice, IconReceiptEuro } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '#client/ui/link.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { todayInRome } from '#contract/dates.ts';
import { type InvoiceSummary, RECENT_INVOICES, sampleInvoices, subtotalsOf } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { invoicesQuery } from './api.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { invoiceCount } from './invoice-words.ts';
import styles from './overview.module.css';
import { SampleInvoices } from './samples.tsx';
import { SpendCharts } from './spend-charts.tsx';

/**
 * Three sums, overdue invoices, spending, and the five most recent invoices. An account without invoices sees the sums
 * of the samples, marked as such, as on Home (spec §3).
 */
export function Overview({
  summary,
  mayCreate,
  whole,
}: {
  summary: InvoiceSummary;
  mayCreate: boolean;
  /** Whether to render more than the sums. */
  whole: boolean;
}) {
  const today = todayInRome();
  const sample = summary.total.count === 0;
  const { total, paid, unpaid, overdue } = sample ? subtotalsOf(sampleInvoices(today), today) : summary;
  return (
    <>
      {overdue.count > 0 && (
        <Alert
          color="red"
          mb="md"
          icon={<IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />}
          title={`${invoiceCount(overdue.count)} ${overdue.count === 1 ? 'è scaduta' : 'sono scadute'}: ${formatEuro(overdue.amount)}`}
        >
          <Link to="?vista=fatture&stato=Scaduta">
            {overdue.count === 1 ? 'Guarda quale' : 'Guarda quali'}
          </Link>
        </Alert>
      )}
      <StatTiles>
        <StatTile
          label="Spesa totale ad oggi"
          value={formatEuro(total.amount)}
          hint={invoiceCount(total.count)}
          icon={IconReceiptEuro}
          sample={sample}
        />
        <StatTile
          label="Fatture pagate"
          value={formatEuro(paid.amount)}
          hint={invoiceCount(paid.count)}
          icon={IconCircleCheck}
          sample={sample}
        />
        <StatTile
          label="Fatture da pagare"
          value={formatEuro(unpaid.amount)}
          hint={invoiceCount(unpaid.count)}
          icon={IconFileInvoice}
          tone={unpaid.count > 0 && !sample ? 'attention' : 'plain'}
          sample={sample}
        />
      </StatTiles>
      {sample ? (
        <div className={styles.apart}>
          <SampleInvoices title="Fatture Recenti" mayCreate={mayCreate} />
        </div>
      ) : (
        whole && (
          <>
            <SpendCharts summary={summary} />
            <RecentInvoices />
          </>
        )
      )}
    </>
  );
}

function RecentInvoices() {
  const recent = useInfiniteQuery(invoicesQuery({}, RECENT_INVOICES));
  return (
    <Section title="Fatture Recenti">
      <Loaded query={recent} skeleton={<RowsSkeleton label="Caricamento delle fatture recenti…" />}>
        {({ pages: [page] }) => (
          <InvoiceTable caption="Fatture recenti" invoices={page?.items ?? []} recent />
        )}
      </Loaded>
    </Section>
  );
}
