import { Anchor, Button } from '@mantine/core';
import { IconMailForward, IconPlus, IconSearchOff } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { figure, period } from '#client/lib/words.ts';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { Link } from '#client/ui/link.tsx';
import { EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDateTime } from '#contract/dates.ts';
import type { TripRequestSummary } from '#contract/trip-requests.ts';
import { tripRequestsQuery } from './api.ts';
import { FilterBar, useFilter } from './filter-bar.tsx';
import styles from './request-table.module.css';

const pathOf = ({ id }: TripRequestSummary) => `/app/nuova-trasferta/richieste/${id}`;

const columns: readonly Column<TripRequestSummary>[] = [
  {
    key: 'citta',
    header: 'Città',
    tableOnly: true,
    cell: (row) => (
      <Anchor component={Link} to={pathOf(row)} fw={600} className={styles.city}>
        {row.citta}
      </Anchor>
    ),
  },
  { key: 'progetto', header: 'Progetto', cell: (row) => row.progetto },
  { key: 'date', header: 'Date', wholeWords: true, cell: (row) => period(row.dataInizio, row.dataFine) },
  { key: 'persone', header: 'Persone', align: 'end', cell: (row) => figure(row.numeroDipendenti) },
  { key: 'inviata', header: 'Inviata il', wholeWords: true, cell: (row) => formatDateTime(row.createdAt) },
  { key: 'stato', header: 'Stato', tableOnly: true, cell: (row) => <StatusBadge status={row.state} /> },
];

const cityOf = ({ citta }: TripRequestSummary) => citta;
const titleOf = (row: TripRequestSummary) => (
  <Anchor component={Link} to={pathOf(row)} inherit>
    {row.citta}
  </Anchor>
);
const badgeOf = ({ state }: TripRequestSummary) => <StatusBadge status={state} />;
const linkOf = (row: TripRequestSummary) => (
  <Button
    component={Link}
    to={pathOf(row)}
    variant="default"
    size="xs"
    className={styles.open}
    aria-label={`Apri la richiesta per ${row.citta}, ${row.progetto}`}
  >
    Apri
  </Button>
);

/** 'Le tue richieste': every trip request of the customer with its state. */
export default function TripRequestListPage() {
  const { narrowed, ...filter } = useFilter();
  const query = useInfiniteQuery(tripRequestsQuery(filter));
  const none = !narrowed && query.data?.pages[0]?.total === 0;
  const newRequest = (
    <Button
      component={Link}
      to="/app/nuova-trasferta"
      color="orange"
      leftSection={<IconPlus size={18} aria-hidden="true" />}
    >
      Nuova richiesta
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Le tue richieste"
        intro="A che punto sono le trasferte che ci hai chiesto."
        // Where there is none yet, the empty list has it.
        actions={none ? undefined : newRequest}
      />
      <FilterBar searchLabel="Cerca per città o progetto" />
      <Loaded query={query} skeleton={<RowsSkeleton />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0 && narrowed) {
            return <EmptyState icon={IconSearchOff} title="Nessuna richiesta corrisponde alla ricerca" />;
          }
          if (rows.length === 0) {
            return (
              <EmptyState icon={IconMailForward} title="Non hai ancora inviato richieste" action={newRequest}>
                Raccontaci dove, quando e per quante persone: torniamo da te con le soluzioni e i costi.
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable
                caption="Le tue richieste di trasferta"
                tableFrom={59}
                dense
                rows={rows}
                rowKey={({ id }) => id}
                columns={columns}
                title={cityOf}
                cardTitle={titleOf}
                cardBadge={badgeOf}
                actions={linkOf}
              />
              <LoadMore feminine shown={rows.length} total={pages[0]?.total ?? rows.length} query={query} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
