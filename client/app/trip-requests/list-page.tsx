import { Button } from '@mantine/core';
import { IconMailForward, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { rowsOf } from '#client/lib/list-pages.ts';
import { tripRequestPath } from '#client/lib/record-paths.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import { Link } from '#client/ui/link.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import type { TripRequestSummary } from '#contract/trip-requests.ts';
import { tripRequestsQuery } from './api.ts';
import { FilterBar, useOwnFilter } from './filter-bar.tsx';
import { NoneFound } from './none-found.tsx';
import { ProjectFilter } from './project-filter.tsx';
import { requestTable } from './request-table.tsx';

const table = requestTable<TripRequestSummary>({
  pathOf: ({ id }) => tripRequestPath(id),
  sentHeader: 'Inviata il',
  linkText: 'Apri',
  linkLabel: ({ citta, progetto }) => `Apri la richiesta per ${citta}, ${progetto}`,
});

/** 'Le tue richieste': all of the customer's trip requests with their states. */
export default function TripRequestListPage() {
  const { narrowed, ...filter } = useOwnFilter();
  const { search, state, projectId } = filter;
  const onlyOfProject = projectId !== undefined && search === '' && state === null;
  const query = useInfiniteQuery(tripRequestsQuery(filter));
  /** Whether what is shown was found by a search: once that is removed, it stays until the answer. */
  const searched = narrowed || query.isPlaceholderData;
  return (
    <>
      <PageHeader
        title="Le tue richieste"
        intro="A che punto sono le trasferte che ci hai chiesto."
        // Also above the empty state: on a phone the search would move when it is known that there are no requests.
        actions={
          <Button
            component={Link}
            to="/app/nuova-trasferta"
            color="orange"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
          >
            Nuova richiesta
          </Button>
        }
      />
      <FilterBar searchBy="città o progetto" />
      {projectId !== undefined && <ProjectFilter id={projectId} />}
      <Loaded query={query} skeleton={<RowsSkeleton />}>
        {({ pages }) => {
          const rows = rowsOf(pages);
          if (rows.length === 0 && searched)
            return <NoneFound of={onlyOfProject && !query.isPlaceholderData ? 'project' : 'search'} />;
          if (rows.length === 0) {
            return (
              <EmptyState icon={IconMailForward} title="Non hai ancora inviato richieste">
                Raccontaci dove, quando e per quante persone: torniamo da te con le soluzioni e i costi.
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable caption="Le tue richieste di trasferta" rows={rows} {...table} />
              <LoadMore feminine shown={rows.length} total={pages[0]?.total ?? rows.length} pages={query} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
