import { IconBuildingCommunity } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { useAddressSearch } from '#client/lib/address-filters.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import { EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { PROJECT_SORTS, PROJECT_STATUSES, type Project } from '#contract/projects.ts';
import { flatten, projectsQuery } from './api.ts';
import { Filters } from './filters.tsx';
import { MemberList } from './member-list.tsx';
import { projectColumns } from './project-columns.tsx';
import { type ProjectActions, ProjectRowActions } from './project-row-actions.tsx';
import { RecordBadges } from './record-badges.tsx';
import { useScrollToSearch } from './scroll-to-search.ts';

const ORDERS = [
  { value: 'createdAt:desc', label: 'Più recenti' },
  { value: 'endDate:asc', label: 'Fine più vicina' },
  { value: 'startDate:asc', label: 'Inizio' },
  { value: 'name:asc', label: 'Nome A–Z' },
  { value: 'location:asc', label: 'Località A–Z' },
  { value: 'teamSize:desc', label: 'Team più numeroso' },
  { value: 'spentToDate:desc', label: 'Spesa più alta' },
  { value: 'projectedTotal:desc', label: 'Proiezione più alta' },
] as const;

const nameOf = ({ name }: Project) => name;
const teamOf = (project: Project) => <MemberList project={project} />;
const badgeOf = ({ status, sample }: Project) => <RecordBadges status={status} sample={sample} />;

/** All projects as a table, searched and filtered. Memoised: it may hold hundreds of them. */
export const AllProjects = memo(function AllProjects({ onTeam, onEdit, onDelete }: ProjectActions) {
  const columns = useMemo(() => projectColumns({ onTeam }), [onTeam]);
  const rowActions = useCallback(
    (project: Project) => <ProjectRowActions project={project} onEdit={onEdit} onDelete={onDelete} />,
    [onEdit, onDelete],
  );
  const search = useAddressSearch();
  const [status, setStatus] = useState<(typeof PROJECT_STATUSES)[number]>();
  const [order, setOrder] = useState<string>(ORDERS[0].value);
  const [sortName, direction] = order.split(':');
  const query = useInfiniteQuery(
    projectsQuery({
      search: search.settled,
      status,
      sort: PROJECT_SORTS.find((sort) => sort === sortName) ?? 'createdAt',
      direction: direction === 'asc' ? 'asc' : 'desc',
    }),
  );
  const filtered = search.settled !== '' || status !== undefined;
  const section = useRef<HTMLElement>(null);
  useScrollToSearch(section);
  // Nothing exists at all: the section above says so, and there is nothing to filter.
  if (!filtered && query.data && flatten(query.data).items.length === 0) return null;
  return (
    <Section ref={section} title="Tutti i Progetti">
      <Filters
        search={search.typed}
        searchLabel="Cerca progetto, località o persona"
        onSearch={search.setTyped}
        choices={[
          {
            label: 'Filtra per stato',
            value: status ?? '',
            options: [
              { value: '', label: 'Tutti gli stati' },
              ...PROJECT_STATUSES.map((value) => ({ value, label: value })),
            ],
            onChange: (value) => setStatus(PROJECT_STATUSES.find((entry) => entry === value)),
          },
          { label: 'Ordina per', value: order, options: ORDERS, onChange: setOrder },
        ]}
      />
      <Loaded query={query} skeleton={<RowsSkeleton />} errorLine="Elenco non caricato">
        {(data) => {
          const { items, total } = flatten(data);
          if (items.length === 0) {
            return (
              <EmptyState icon={IconBuildingCommunity} title="Nessun progetto corrisponde alla ricerca">
                Cambia le parole cercate o lo stato scelto.
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable
                caption="Tutti i progetti"
                rows={items}
                rowKey={({ id }) => id}
                tableFrom={59}
                dense
                title={nameOf}
                columns={columns}
                cardBadge={badgeOf}
                details={teamOf}
                actions={rowActions}
              />
              <LoadMore shown={items.length} total={total} pages={query} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
});
