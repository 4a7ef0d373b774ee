import { Card } from '@mantine/core';
import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useOnNewDay } from '#client/lib/new-day.ts';
import { useMe } from '#client/lib/session.ts';
import { AddressTabs } from '#client/ui/address-tabs.tsx';
import { useDeferredRender } from '#client/ui/incremental-render.ts';
import { RowsSkeleton, Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { RECENT_INVOICES } from '#contract/invoices.ts';
import { invoiceSummaryQuery, invoicesQuery, useInvoicesChanged } from './api.ts';
import { InvoiceList } from './invoice-list.tsx';
import { NewInvoice } from './new-invoice.tsx';
import { Overview, SumsSkeleton } from './overview.tsx';
import { SampleInvoices } from './samples.tsx';
import charts from './spend-charts.module.css';

/** The shape of a chart under its title. */
function ChartSkeleton() {
  return (
    <Card>
      <Skeleton height={18} width="70%" />
      <Skeleton height={14} width="45%" margin="var(--space-3) 0 var(--space-5)" />
      <Skeleton height={224} />
    </Card>
  );
}

/** /app/pagamenti-fatture (spec §2): spending, amounts due, and every invoice. */
export default function InvoicesPage() {
  const { permissions } = useMe();
  const summary = useQuery(invoiceSummaryQuery);
  // With cached data, deferring the charts shows the sums a frame earlier. Without, they take the place of their skeletons.
  const whole = useDeferredRender(summary.data === undefined);
  // What is overdue depends on the date.
  useOnNewDay(useInvoicesChanged());
  // Shown below the sums, but fetched together with them.
  usePrefetchInfiniteQuery(invoicesQuery({}, RECENT_INVOICES));
  return (
    <>
      <PageHeader
        title="Pagamenti e Fatture"
        intro="Quanto hai speso, cosa resta da pagare e tutte le tue fatture."
        actions={permissions.createInvoices && <NewInvoice />}
      />
      <Loaded
        query={summary}
        errorTitle="Errore nel caricamento delle fatture"
        skeleton={
          <>
            <Skeleton height={38} width={188} margin="0 0 var(--space-5)" />
            <SumsSkeleton />
            <Waiting label={null}>
              <div className={charts.charts}>
                <ChartSkeleton />
                <ChartSkeleton />
              </div>
            </Waiting>
            <RowsSkeleton label={null} />
          </>
        }
      >
        {(sums) => (
          <AddressTabs
            parameter="vista"
            replace
            tabs={[
              {
                value: 'panoramica',
                label: 'Panoramica',
                panel: <Overview summary={sums} mayCreate={permissions.createInvoices} whole={whole} />,
              },
              {
                value: 'fatture',
                label: 'Fatture',
                panel:
                  sums.total.count === 0 ? (
                    <SampleInvoices title="Tutte le Fatture" mayCreate={permissions.createInvoices} />
                  ) : (
                    <InvoiceList mayCreate={permissions.createInvoices} />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
