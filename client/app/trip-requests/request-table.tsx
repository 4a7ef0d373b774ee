import { Anchor, Button } from '@mantine/core';
import type { Column } from '#client/ui/data-table-row.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDateTime, period } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import type { TripRequestSummary } from '#contract/trip-requests.ts';
import { LinkFromList } from './list-link.tsx';
import styles from './request-table.module.css';

/**
 * How a `DataTable` shows requests. Created once per list, so that its rows are only rendered again when they change.
 */
export function requestTable<Request extends TripRequestSummary>({
  pathOf,
  firstColumns = [],
  sentHeader,
  linkText,
  linkLabel,
}: {
  pathOf: (request: Request) => string;
  /** Columns before those shared by all lists. */
  firstColumns?: readonly Column<Request>[];
  sentHeader: string;
  linkText: string;
  /** What a row's link leads to; its dates tell repeated trips apart. */
  linkLabel: (request: Request) => string;
}) {
  const columns: readonly Column<Request>[] = [
    ...firstColumns,
    {
      key: 'citta',
      header: 'Città',
      tableOnly: true,
      cell: (request) => (
        <Anchor component={LinkFromList} to={pathOf(request)} fw={600} className={styles.city}>
          {request.citta}
        </Anchor>
      ),
    },
    { key: 'progetto', header: 'Progetto', cell: ({ progetto }) => progetto },
    {
      key: 'date',
      header: 'Date',
      wholeWords: true,
      cell: ({ dataInizio, dataFine }) => period(dataInizio, dataFine),
    },
    {
      key: 'persone',
      header: 'Persone',
      align: 'end',
      cell: ({ numeroDipendenti }) => figure(numeroDipendenti),
    },
    {
      key: 'inviata',
      header: sentHeader,
      wholeWords: true,
      cell: ({ createdAt }) => formatDateTime(createdAt),
    },
    { key: 'stato', header: 'Stato', tableOnly: true, cell: ({ state }) => <StatusBadge status={state} /> },
  ];
  return {
    columns,
    tableFrom: 59,
    rowKey: ({ id }: Request) => id,
    title: ({ citta }: Request) => citta,
    cardTitle: (request: Request) => (
      <Anchor component={LinkFromList} to={pathOf(request)} inherit>
        {request.citta}
      </Anchor>
    ),
    cardBadge: ({ state }: Request) => <StatusBadge status={state} />,
    actions: (request: Request) => (
      <Button
        component={LinkFromList}
        to={pathOf(request)}
        variant="default"
        size="xs"
        className={styles.open}
        aria-label={`${linkLabel(request)}, ${period(request.dataInizio, request.dataFine)}`}
      >
        {linkText}
      </Button>
    ),
  };
}
