import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconFileInvoice, IconReceiptEuro } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '#client/ui/link.tsx';
import { RowsSkeleton, TilesSkeleton } from '#client/ui/list-skeletons.tsx';
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

/** The sums that the page begins with. */
const SPENT = { label: 'Spesa totale ad oggi', icon: IconReceiptEuro };
const PAID = { label: 'Fatture pagate', icon: IconCircleCheck };
const UNPAID = { label: 'Fatture da pagare', icon: IconFileInvoice };

/** The sums while they load. */
export function SumsSkeleton() {
  const hint = invoiceCount(0);
  return (
    <TilesSkeleton
      tiles={[SPENT, PAID, UNPAID].map((tile) => ({ ...tile, hint }))}
      label="Caricamento delle fatture…"
    />
  );
}

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
          {...SPENT}
          value={formatEuro(total.amount)}
          hint={invoiceCount(total.count)}
          sample={sample}
        />
        <StatTile {...PAID} value={formatEuro(paid.amount)} hint={invoiceCount(paid.count)} sample={sample} />
        <StatTile
          {...UNPAID}
          value={formatEuro(unpaid.amount)}
          hint={invoiceCount(unpaid.count)}
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
