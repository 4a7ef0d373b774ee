import { Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AccountFilter } from '#client/app/users/account-filter.tsx';
import { rowsOf } from '#client/lib/list-pages.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import type { ManagedTripRequestSummary } from '#contract/trip-requests.ts';
import { AdminOnly } from './admin-only.tsx';
import { managedTripRequestsQuery } from './api.ts';
import { FilterBar, useManagedFilter } from './filter-bar.tsx';
import styles from './management-page.module.css';
import { NoneFound } from './none-found.tsx';
import { requestTable } from './request-table.tsx';
import { UndeliveredMail, undeliveredMailQuery } from './undelivered-mail.tsx';

const customerColumn: Column<ManagedTripRequestSummary> = {
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
};

const table = requestTable<ManagedTripRequestSummary>({
  pathOf: ({ id }) => `/app/gestione-richieste/${id}`,
  firstColumns: [customerColumn],
  sentHeader: 'Ricevuta il',
  linkText: 'Gestisci',
  linkLabel: ({ citta, customer }) => `Gestisci la richiesta per ${citta} di ${customer.fullName}`,
});

/** @param held whether its place on the page is not known yet: it is read meanwhile */
function RequestList({ held }: { held: boolean }) {
  const { narrowed, ...filter } = useManagedFilter();
  const { search, state, userId } = filter;
  const onlyOfCustomer = userId !== undefined && search === '' && state === null;
  const query = useInfiniteQuery(managedTripRequestsQuery(filter));
  if (held) return <RowsSkeleton />;
  return (
    <>
      <FilterBar searchBy="cliente, città o progetto" />
      {userId !== undefined && <AccountFilter parameter="cliente" label="Cliente" id={userId} />}
      <Loaded query={query} skeleton={<RowsSkeleton />}>
        {({ pages }) => {
          const rows = rowsOf(pages);
          if (rows.length === 0) {
            // Once the search is removed, what it found stays until the answer.
            return narrowed || query.isPlaceholderData ? (
              <NoneFound of={onlyOfCustomer && !query.isPlaceholderData ? 'customer' : 'search'} />
            ) : (
              <EmptyState icon={IconInbox} title="Nessuna richiesta ricevuta">
                Qui arrivano le trasferte che i clienti chiedono.
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable caption="Richieste di trasferta dei clienti" rows={rows} {...table} />
              <LoadMore feminine shown={rows.length} total={pages[0]?.total ?? rows.length} pages={query} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** 'Gestione Richieste' (role admin): all customers' requests, and undelivered mail. */
export default function TripRequestManagementPage() {
  return (
    <AdminOnly>
      <PageHeader title="Gestione Richieste" intro="Le trasferte chieste da tutti i clienti." />
      <Content />
    </AdminOnly>
  );
}

/** The notice stands above the list, so that neither is shown before it is known whether there is one: nothing moves then. */
function Content() {
  const { isPending } = useInfiniteQuery(undeliveredMailQuery);
  return (
    <>
      <UndeliveredMail />
      <RequestList held={isPending} />
    </>
  );
}
