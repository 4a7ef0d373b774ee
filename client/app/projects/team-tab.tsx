import { Accordion, Avatar, Button, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBriefcase,
  IconBuildingCommunity,
  IconFileImport,
  IconHome,
  IconPencil,
  IconPlaneDeparture,
  IconUserCheck,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import {
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  usePrefetchQuery,
  useQuery,
} from '@tanstack/react-query';
import { memo, useCallback, useRef, useState } from 'react';
import { useAddressSearch } from '#client/lib/address-filters.ts';
import { worded } from '#client/lib/failures.ts';
import { counted, figure, people } from '#client/lib/words.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { Hint } from '#client/ui/hint.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { useDeferredRender, useIncrementalCount } from '#client/ui/incremental-render.ts';
import { EmptyState, Loaded, LoadMore, RowsSkeleton, TilesSkeleton } from '#client/ui/list-states.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { RowButton } from '#client/ui/row-button.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { toast } from '#client/ui/toast.ts';
import {
  EMPLOYEE_FAILURES,
  EMPLOYEE_ROLES,
  EMPLOYEE_SORTS,
  EMPLOYEE_STATUSES,
  EMPLOYEE_TEXTS,
  type Employee,
  initials,
  overlappingAssignments,
} from '#contract/employees.ts';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { employeesQuery, flatten, teamStatsQuery, useDeleteEmployee } from './api.ts';
import { CrewImportDialog } from './crew-import-dialog.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';
import { EmployeeHistory } from './employee-history.tsx';
import { Filters, useSoughtInSight } from './filters.tsx';
import { StatusSelect } from './status-select.tsx';
import styles from './team-tab.module.css';
import { firstTimelineQuery, TimelineSection } from './timeline-section.tsx';
import { useDialog } from './use-dialog.ts';

const ORDERS = [
  { value: 'name:asc', label: 'Nome A–Z' },
  { value: 'createdAt:desc', label: 'Più recenti' },
  { value: 'role:asc', label: 'Ruolo' },
  { value: 'status:asc', label: 'Stato' },
] as const;

/** Value of the project filter for people on no project 'In corso'. */
const UNASSIGNED = '0';

/** Whom a figure counts, where the table below shows others as well. */
const OF_PROJECTS = 'sui progetti in corso';

function Stats({ stats }: { stats: TeamStats }) {
  return (
    <StatTiles>
      <StatTile
        label="Sui progetti in corso"
        value={figure(stats.people)}
        hint={`in ${counted(stats.activeProjects, 'progetto', 'progetti')}`}
        icon={IconUsers}
      />
      <StatTile
        label="In trasferta"
        value={figure(stats.travelling)}
        hint={OF_PROJECTS}
        icon={IconPlaneDeparture}
      />
      <StatTile label="Rientrati" value={figure(stats.returned)} hint={OF_PROJECTS} icon={IconHome} />
      <StatTile label="Disponibili" value={figure(stats.available)} hint={OF_PROJECTS} icon={IconUserCheck} />
      <StatTile label="Senza progetto" value={figure(stats.unassigned)} icon={IconBriefcase} />
    </StatTiles>
  );
}

const COLUMNS: Column<Employee>[] = [
  {
    key: 'name',
    header: 'Nome',
    tableOnly: true,
    cell: (employee) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar className={styles.avatar} color="petrol" radius="xl" size="sm" aria-hidden="true">
          {initials(employee.name)}
        </Avatar>
        <div className={styles.name}>
          <Text span fw={600} inherit>
            {employee.name}
          </Text>
          {employee.sample && (
            <>
              {' '}
              <SampleBadge />
            </>
          )}
        </div>
      </Group>
    ),
  },
  { key: 'role', header: 'Ruolo', cell: ({ role }) => <span className={styles.role}>{role}</span> },
  {
    key: 'project',
    header: 'Progetto',
    cell: ({ project, assignments }) => (
      <span className={styles.project}>
        <span>{project}</span>
        {overlappingAssignments(assignments).length > 0 && (
          <Badge tone="orange" icon={IconAlertTriangle}>
            date sovrapposte
          </Badge>
        )}
      </span>
    ),
  },
  {
    key: 'location',
    header: 'Località',
    cell: ({ location }) => <div className={styles.location}>{location}</div>,
  },
  {
    key: 'status',
    header: 'Stato',
    tableOnly: true,
    cell: ({ status }) => (
      <div className={styles.whole}>
        <StatusBadge status={status} />
      </div>
    ),
  },
];

const nameOf = ({ name }: Employee) => name;
const historyOf = (employee: Employee) => <EmployeeHistory employee={employee} />;
const badgeOf = ({ status, sample }: Employee) => (
  <div className={styles.badges}>
    <StatusBadge status={status} />
    {sample && <SampleBadge />}
  </div>
);

type Projects = TeamStats['distribution'];

/** What the list is asked for: the search and the choices above it. */
type Asked = {
  search: string;
  status?: Employee['status'] | undefined;
  role: string;
  projectId: string;
  order: string;
};
const UNFILTERED: Asked = { search: '', role: '', projectId: '', order: ORDERS[0].value };

function listQuery({ search, status, role, projectId, order }: Asked) {
  const [sortName, direction] = order.split(':');
  return employeesQuery({
    search,
    status,
    role,
    projectId: projectId === '' ? undefined : Number(projectId),
    sort: EMPLOYEE_SORTS.find((sort) => sort === sortName) ?? 'name',
    direction: direction === 'desc' ? 'desc' : 'asc',
  });
}

/** Rendered for its own news alone: it is most of the page. */
const FullTeam = memo(function FullTeam({ projects }: { projects: Projects }) {
  const search = useAddressSearch();
  const [status, setStatus] = useState<Employee['status']>();
  const [role, setRole] = useState('');
  const [projectId, setProjectId] = useState('');
  const [order, setOrder] = useState(UNFILTERED.order);
  const query = useInfiniteQuery(listQuery({ search: search.settled, status, role, projectId, order }));
  const filtered = search.settled !== '' || status !== undefined || role !== '' || projectId !== '';
  const empty = !filtered && query.data !== undefined && flatten(query.data).items.length === 0;
  const form = useDialog<Employee | undefined>('employee');
  const removal = useDialog<Employee>('employee removal');
  const crew = useDialog<undefined>('crew');
  const remove = useDeleteEmployee();
  const following = useDeferredRender();
  const section = useRef<HTMLElement>(null);
  useSoughtInSight(section);
  const { open: edit } = form;
  const { open: askToRemove } = removal;
  const actions = useCallback(
    (employee: Employee) => (
      <div className={styles.actions}>
        <StatusSelect person={employee} />
        <Hint label="Modifica">
          <IconButton
            aria-label={`Modifica ${employee.name}`}
            disabled={employee.sample}
            onClick={() => edit(employee)}
          >
            <IconPencil size={20} stroke={1.75} aria-hidden="true" />
          </IconButton>
        </Hint>
        <RowButton
          look="danger"
          aria-label={`Elimina ${employee.name}`}
          disabled={employee.sample}
          onClick={() => askToRemove(employee)}
        >
          Elimina
        </RowButton>
      </div>
    ),
    [edit, askToRemove],
  );

  return (
    <Section
      ref={section}
      title="Team Completo"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={18} aria-hidden="true" />}
            onClick={() => crew.open(undefined)}
          >
            Importa elenco
          </Button>
          <Button
            leftSection={<IconUserPlus size={18} aria-hidden="true" />}
            onClick={() => form.open(undefined)}
          >
            Aggiungi dipendente
          </Button>
        </>
      }
    >
      {!empty && (
        <Filters
          search={search.typed}
          searchLabel="Cerca nome, ruolo, email o progetto"
          onSearch={search.setTyped}
          choices={[
            {
              label: 'Filtra per stato',
              value: status ?? '',
              options: [
                { value: '', label: 'Tutti gli stati' },
                ...EMPLOYEE_STATUSES.map((value) => ({ value, label: value })),
              ],
              onChange: (value) => setStatus(EMPLOYEE_STATUSES.find((entry) => entry === value)),
            },
            {
              label: 'Filtra per ruolo',
              value: role,
              options: [
                { value: '', label: 'Tutti i ruoli' },
                ...EMPLOYEE_ROLES.map((value) => ({ value, label: value })),
              ],
              onChange: setRole,
            },
            {
              label: 'Filtra per progetto',
              value: projectId,
              options: [
                { value: '', label: 'Tutti i progetti' },
                { value: UNASSIGNED, label: 'Senza progetto' },
                ...projects.map(({ projectId: id, name }) => ({ value: String(id), label: name })),
              ],
              onChange: setProjectId,
            },
            { label: 'Ordina per', value: order, options: ORDERS, onChange: setOrder },
          ]}
        />
      )}
      {following && (
        <Loaded
          query={query}
          skeleton={<RowsSkeleton label={PROJECT_TEXTS.loading} />}
          errorTitle={PROJECT_TEXTS.loadFailed}
        >
          {(data) => {
            const { items, total } = flatten(data);
            if (items.length === 0) {
              return filtered ? (
                <EmptyState icon={IconUsers} title="Nessun dipendente corrisponde alla ricerca">
                  Cambia le parole cercate o i filtri.
                </EmptyState>
              ) : (
                <EmptyState icon={IconUsers} title={EMPLOYEE_TEXTS.empty} />
              );
            }
            return (
              <>
                <DataTable
                  caption="Team completo"
                  tableFrom={59}
                  dense
                  rows={items}
                  rowKey={({ id }) => id}
                  title={nameOf}
                  columns={COLUMNS}
                  cardBadge={badgeOf}
                  details={historyOf}
                  actions={actions}
                />
                <LoadMore
                  shown={items.length}
                  total={total}
                  hasMore={query.hasNextPage}
                  loading={query.isFetchingNextPage}
                  onMore={() => query.fetchNextPage()}
                />
              </>
            );
          }}
        </Loaded>
      )}

      <EmployeeDialog opened={form.opened} employee={form.subject} onClose={form.close} />
      <CrewImportDialog opened={crew.opened} projects={projects} onClose={crew.close} />
      <ConfirmDialog
        opened={removal.opened}
        title="Elimina dipendente"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={removal.close}
        onConfirm={async () => {
          if (!removal.subject) return;
          try {
            await remove.mutateAsync(removal.subject.id);
          } catch (error) {
            throw worded(error, EMPLOYEE_FAILURES.delete);
          }
          toast({ title: EMPLOYEE_TEXTS.deleted });
        }}
      >
        Vuoi eliminare <strong>{removal.subject?.name}</strong>? Sparisce da tutti i progetti, con il suo
        storico.
      </ConfirmDialog>
    </Section>
  );
});

function Distribution({ projects }: { projects: Projects }) {
  const largest = Math.max(1, ...projects.map((project) => project.people));
  return (
    <Accordion variant="separated" order={2}>
      <Accordion.Item value="distribution">
        <Accordion.Control icon={<IconBuildingCommunity size={20} stroke={1.75} aria-hidden="true" />}>
          Distribuzione Team
        </Accordion.Control>
        <Accordion.Panel>
          {projects.length === 0 && <Text c="dimmed">Nessun progetto in corso.</Text>}
          <ul className={styles.distribution}>
            {projects.map(({ projectId, name, location, people: count }) => (
              <li key={projectId} className={styles.site}>
                <div className={styles.siteName}>
                  <Text fw={600}>{name}</Text>
                  <Text size="sm" c="dimmed">
                    {location}
                  </Text>
                </div>
                <ProgressBar value={(count / largest) * 100} size="large" className={styles.bar} />
                <Text className={styles.whole}>{people(count)}</Text>
              </li>
            ))}
          </ul>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

const NO_PROJECTS: Projects = [];
/** The figures, the calendar, the list, how they spread. */
const PARTS = 4;

/**
 * Who the customer's people are and where: statistics, timeline, everybody, and how they spread over projects. All is asked
 * for at once, and one part after the other rendered, so that a press meanwhile waits for one of them alone.
 */
export default function TeamTab() {
  const stats = useQuery(teamStatsQuery);
  const { settled: search } = useAddressSearch();
  usePrefetchQuery(firstTimelineQuery());
  usePrefetchInfiniteQuery(listQuery({ ...UNFILTERED, search }));
  const parts = useIncrementalCount(PARTS, 1);
  const projects = stats.data?.distribution ?? NO_PROJECTS;
  // Noughts and a calendar without rows would say nothing.
  const nobody = stats.data && stats.data.people + stats.data.unassigned + stats.data.activeProjects === 0;
  return (
    <div className={styles.tab}>
      {!nobody && (
        <>
          <div className={styles.stats}>
            <Loaded
              query={stats}
              skeleton={<TilesSkeleton tiles={5} label={PROJECT_TEXTS.loading} />}
              errorTitle={PROJECT_TEXTS.loadFailed}
            >
              {(data) => <Stats stats={data} />}
            </Loaded>
          </div>
          {parts > 1 && <TimelineSection />}
        </>
      )}
      {parts > 2 && <FullTeam projects={projects} />}
      {parts > 3 && <Distribution projects={projects} />}
    </div>
  );
}
