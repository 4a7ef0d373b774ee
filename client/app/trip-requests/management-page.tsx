import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconInbox, IconSearchOff } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { figure, period } from '#client/lib/words.ts';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { Link } from '#client/ui/link.tsx';
import { EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDateTime } from '#contract/dates.ts';
import type { ManagedTripRequestSummary } from '#contract/trip-requests.ts';
import { AdminOnly } from './admin-only.tsx';
import { managedTripRequestsQuery } from './api.ts';
import { FilterBar, useFilter } from './filter-bar.tsx';
import styles from './request-table.module.css';
import { UndeliveredMail } from './undelivered-mail.tsx';

const pathOf = ({ id }: ManagedTripRequestSummary) => `/app/gestione-richieste/${id}`;

const columns: readonly Column<ManagedTripRequestSummary>[] = [
  {
    key: 'cliente',
    header: 'Cliente',
    cell: ({ customer }) => (
      <Stack gap={0} className={styles.customer}>
        <span>{customer.companyName ?? customer.fullName}</span>
        {customer.companyName && (
          <Text component="span" size="sm" c="dimmed">
            {customer.fullName}
          </Text>
        )}
      </Stack>
    ),
  },
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
  { key: 'ricevuta', header: 'Ricevuta il', wholeWords: true, cell: (row) => formatDateTime(row.createdAt) },
  { key: 'stato', header: 'Stato', tableOnly: true, cell: (row) => <StatusBadge status={row.state} /> },
];

const cityOf = ({ citta }: ManagedTripRequestSummary) => citta;
const titleOf = (row: ManagedTripRequestSummary) => (
  <Anchor component={Link} to={pathOf(row)} inherit>
    {row.citta}
  </Anchor>
);
const badgeOf = ({ state }: ManagedTripRequestSummary) => <StatusBadge status={state} />;
const linkOf = (row: ManagedTripRequestSummary) => (
  <Button
    component={Link}
    to={pathOf(row)}
    variant="default"
    size="xs"
    className={styles.open}
    aria-label={`Gestisci la richiesta per ${row.citta} di ${row.customer.fullName}`}
  >
    Gestisci
  </Button>
);

function RequestList() {
  const { narrowed, ...filter } = useFilter();
  const query = useInfiniteQuery(managedTripRequestsQuery(filter));
  return (
    <>
      <FilterBar searchLabel="Cerca per cliente, città o progetto" />
      <Loaded query={query} skeleton={<RowsSkeleton />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) {
            return narrowed ? (
              <EmptyState icon={IconSearchOff} title="Nessuna richiesta corrisponde alla ricerca" />
            ) : (
              <EmptyState icon={IconInbox} title="Nessuna richiesta ricevuta">
                Qui arrivano le trasferte che i clienti chiedono.
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable
                caption="Richieste di trasferta dei clienti"
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

/** 'Gestione Richieste' (role admin): every customer's requests, and the mail that could not be delivered. */
export default function TripRequestManagementPage() {
  return (
    <AdminOnly>
      <PageHeader title="Gestione Richieste" intro="Le trasferte chieste da tutti i clienti." />
      <UndeliveredMail />
      <RequestList />
    </AdminOnly>
  );
}
