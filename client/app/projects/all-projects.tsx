import { IconBuildingCommunity } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useRef } from 'react';
import { useAddressFilters, useAddressSearch, useShownAtOnce } from '#client/lib/address-filters.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { useScrollToSearch } from '#client/lib/scroll-to-search.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import { Filters, type Order, orderOf } from '#client/ui/filters.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { RecordBadges } from '#client/ui/record-badges.tsx';
import { Section } from '#client/ui/section.tsx';
import { PROJECT_STATUSES, type Project, type ProjectListQuery } from '#contract/projects.ts';
import { projectsQuery } from './api.ts';
import { useDistinctProjects } from './distinct-names.ts';
import { MemberList } from './member-list.tsx';
import { projectColumns } from './project-columns.tsx';
import { type ProjectActions, ProjectRowActions } from './project-row-actions.tsx';
import { ProjectWays } from './project-ways.tsx';

type Sort = ProjectListQuery['sort'];
const ORDERS: readonly [Order<Sort>, ...Order<Sort>[]] = [
  { value: '', label: 'Più recenti', sort: 'createdAt', direction: 'desc' },
  { value: 'fine', label: 'Fine più vicina', sort: 'nextEnd', direction: 'asc' },
  { value: 'inizio', label: 'Inizio', sort: 'startDate', direction: 'asc' },
  { value: 'nome', label: 'Nome A–Z', sort: 'name', direction: 'asc' },
  { value: 'luogo', label: 'Località A–Z', sort: 'location', direction: 'asc' },
  { value: 'team', label: 'Team più numeroso', sort: 'teamSize', direction: 'desc' },
  { value: 'spesa', label: 'Spesa più alta', sort: 'spentToDate', direction: 'desc' },
  { value: 'proiezione', label: 'Proiezione più alta', sort: 'projectedTotal', direction: 'desc' },
];

const nameOf = ({ name }: Project) => name;
const badgeOf = ({ status, sample }: Project) => <RecordBadges status={status} sample={sample} />;

/**
 * All projects as a table with search and filters. Memoized, because it may have hundreds of rows.
 * @param hidden requests its data, but is not shown yet
 */
export const AllProjects = memo(function AllProjects({
  hidden,
  onTeam,
  onEdit,
  onDelete,
}: ProjectActions & { hidden: boolean }) {
  const search = useAddressSearch();
  const [parameters, change] = useAddressFilters<'stato' | 'ordine'>();
  const status = PROJECT_STATUSES.find((entry) => entry === parameters.get('stato'));
  const order = orderOf(ORDERS, parameters.get('ordine'));
  const [shown, show] = useShownAtOnce({ stato: status ?? '', ordine: order.value }, change);
  const { sort, direction } = order;
  const query = useInfiniteQuery(projectsQuery({ search: search.settled, status, sort, direction }));
  const items = useMemo(() => (query.data ? flatten(query.data).items : []), [query.data]);
  const distinctName = useDistinctProjects(items);
  const columns = useMemo(() => projectColumns(distinctName, onTeam), [distinctName, onTeam]);
  const detailsOf = useCallback(
    (project: Project) => (
      <>
        <ProjectWays project={project} label={distinctName(project)} />
        <MemberList project={project} />
      </>
    ),
    [distinctName],
  );
  const rowActions = useCallback(
    (project: Project) => (
      <ProjectRowActions project={project} name={distinctName(project)} onEdit={onEdit} onDelete={onDelete} />
    ),
    [distinctName, onEdit, onDelete],
  );
  const filtered = search.settled !== '' || status !== undefined;
  const section = useRef<HTMLElement>(null);
  useScrollToSearch(section);
  // There are no projects at all: the section above says so, and there is nothing to filter.
  if (!filtered && query.data && items.length === 0) return null;
  return (
    <Section ref={section} title="Tutti i Progetti" hidden={hidden}>
      <Filters
        search={search.typed}
        searchBy="progetto, località o persona"
        onSearch={search.setTyped}
        choices={[
          {
            label: 'Filtra per stato',
            value: shown.stato,
            options: [{ value: '', label: 'Tutti gli stati' }, ...PROJECT_STATUSES],
            onChange: (stato) => show({ stato }),
          },
          {
            label: 'Ordina per',
            value: shown.ordine,
            options: ORDERS,
            onChange: (ordine) => show({ ordine }),
          },
        ]}
      />
      <Loaded query={query} skeleton={<RowsSkeleton />} errorLine="Elenco non caricato">
        {(data) => {
          const { total } = flatten(data);
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
                title={distinctName}
                cardTitle={nameOf}
                columns={columns}
                cardBadge={badgeOf}
                details={detailsOf}
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
