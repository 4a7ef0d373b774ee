import { Alert, Button, Group, Text } from '@mantine/core';
import {
  IconBuildingCommunity,
  IconCircleCheck,
  IconPencil,
  IconPlus,
  IconRotate,
  IconTrash,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, memo, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useAddressSearch } from '#client/lib/address-filters.ts';
import { worded } from '#client/lib/failures.ts';
import { period } from '#client/lib/words.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { Hint } from '#client/ui/hint.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { CARDS_AT_ONCE, useDeferredRender, useIncrementalCount } from '#client/ui/incremental-render.ts';
import { CardsSkeleton, EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { toast } from '#client/ui/toast.ts';
import { usePhone } from '#client/ui/use-phone.ts';
import { formatEuro } from '#contract/money.ts';
import {
  PROJECT_FAILURES,
  PROJECT_SORTS,
  PROJECT_STATUSES,
  PROJECT_TEXTS,
  type Project,
} from '#contract/projects.ts';
import { flatten, PROJECT_LISTS, projectsQuery, useDeleteProject } from './api.ts';
import { Filters, useSoughtInSight } from './filters.tsx';
import { MemberList } from './member-list.tsx';
import styles from './project-card.module.css';
import { overspent, ProjectCard, TeamButton } from './project-card.tsx';
import { switchLabel, useSwitchProject } from './switch-project.ts';
import { TeamDialog } from './team-dialog.tsx';
import { useDialog } from './use-dialog.ts';

/** Loaded after the list, ready before anybody presses its button. */
const ProjectDialog = lazy(() => import('./project-dialog.tsx'));

const PAGE = 12;
const ERROR_HINT = 'Verifica la connessione al server e di aver effettuato l’accesso, poi riprova.';

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

type Actions = {
  onTeam: (project: Project) => void;
  onEdit: (project: Project) => void;
  onDelete: (project: Project) => void;
};

function RowActions({ project, onEdit, onDelete }: { project: Project } & Omit<Actions, 'onTeam'>) {
  const { pending, switchStatus } = useSwitchProject();
  return (
    <div className={styles.actions}>
      <Hint label={switchLabel(project)}>
        <IconButton
          aria-label={`${switchLabel(project)}: ${project.name}`}
          disabled={project.sample}
          loading={pending}
          onClick={() => switchStatus(project)}
        >
          {project.status === 'In corso' ? (
            <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconRotate size={20} stroke={1.75} aria-hidden="true" />
          )}
        </IconButton>
      </Hint>
      <IconButton
        aria-label={`Modifica ${project.name}`}
        disabled={project.sample}
        onClick={() => onEdit(project)}
      >
        <IconPencil size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
      <IconButton
        tone="danger"
        aria-label={`Elimina ${project.name}`}
        disabled={project.sample}
        onClick={() => onDelete(project)}
      >
        <IconTrash size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

const nameOf = ({ name }: Project) => name;
const teamOf = (project: Project) => <MemberList project={project} />;
const badgeOf = ({ status, sample }: Project) => (
  <div className={styles.badges}>
    <StatusBadge status={status} />
    {sample && <SampleBadge />}
  </div>
);

function columnsOf({ onTeam }: Pick<Actions, 'onTeam'>): Column<Project>[] {
  return [
    {
      key: 'name',
      header: 'Nome',
      tableOnly: true,
      cell: (project) => (
        <div className={styles.title}>
          {project.name}
          {project.sample && <SampleBadge />}
        </div>
      ),
    },
    {
      key: 'location',
      header: 'Località',
      cell: ({ location }) => <span className={styles.inCell}>{location}</span>,
    },
    {
      key: 'dates',
      header: 'Date',
      cell: ({ startDate, endDate }) => <span className={styles.dates}>{period(startDate, endDate)}</span>,
    },
    {
      key: 'team',
      header: 'Team',
      nowrap: true,
      cell: (project) => <TeamButton project={project} onOpen={() => onTeam(project)} />,
    },
    {
      key: 'projected',
      header: 'Proiezione spesa totale',
      align: 'end',
      cell: (project) => (
        <>
          {formatEuro(project.projectedTotal)}
          <span className={styles.spent} data-over={overspent(project) > 0}>
            spesi {formatEuro(project.spentToDate)}
          </span>
        </>
      ),
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
    {
      key: 'progress',
      header: 'Progresso',
      nowrap: true,
      cell: ({ name, progress }) => (
        <span className={styles.row}>
          <ProgressBar
            className={styles.short}
            value={progress}
            label={`Avanzamento di ${name}: ${progress}%`}
          />
          <span className={styles.percent}>{progress}%</span>
        </span>
      ),
    },
  ];
}

function ProjectCards({ projects, actions }: { projects: readonly Project[]; actions: Actions }) {
  // On wider screens what stands below is in sight: it would be pushed down.
  const shown = useIncrementalCount(projects.length, usePhone() ? CARDS_AT_ONCE : PAGE);
  return (
    <ul className={styles.cards} aria-label="Progetti attivi">
      {projects.slice(0, shown).map((project) => (
        <ProjectCard key={project.id} project={project} {...actions} />
      ))}
    </ul>
  );
}

/** Rendered for its own news alone: a dialog that opens above is none. */
const ActiveProjects = memo(function ActiveProjects({ onNew, ...actions }: Actions & { onNew: () => void }) {
  const query = useInfiniteQuery(projectsQuery({ status: 'In corso', limit: PAGE }));
  const { data, error, isFetching } = query;
  const client = useQueryClient();
  const empty = data !== undefined && flatten(data).items.length === 0;
  const newProject = (
    <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onNew}>
      Nuovo Progetto
    </Button>
  );
  return (
    <Section title="Progetti Attivi" actions={!empty && newProject}>
      <Loaded
        // Whatever else could not be read of the page is asked for again as well.
        query={{ data, error, isFetching, refetch: () => client.refetchQueries({ queryKey: PROJECT_LISTS }) }}
        skeleton={
          <div className={styles.loading}>
            <p className={styles.loadingWords} aria-hidden="true">
              {PROJECT_TEXTS.loading}
            </p>
            <CardsSkeleton cards={3} height={340} label={PROJECT_TEXTS.loading} />
          </div>
        }
        errorTitle={PROJECT_TEXTS.loadFailed}
        errorHint={ERROR_HINT}
      >
        {(pages) => {
          const { items, total } = flatten(pages);
          if (items.length === 0) {
            return (
              <EmptyState icon={IconBuildingCommunity} title="Nessun progetto in corso" action={newProject}>
                Crea un progetto per vedere qui il cantiere, chi c’è e quanto costa.
              </EmptyState>
            );
          }
          return (
            <>
              <ProjectCards projects={items} actions={actions} />
              {query.hasNextPage && (
                <LoadMore
                  shown={items.length}
                  total={total}
                  hasMore
                  loading={query.isFetchingNextPage}
                  onMore={() => query.fetchNextPage()}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
});

/** Rendered for its own news alone, too: its table may hold hundreds of projects. */
const AllProjects = memo(function AllProjects({ onTeam, onEdit, onDelete }: Actions) {
  const columns = useMemo(() => columnsOf({ onTeam }), [onTeam]);
  const rowActions = useCallback(
    (project: Project) => <RowActions project={project} onEdit={onEdit} onDelete={onDelete} />,
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
  useSoughtInSight(section);
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
    </Section>
  );
});

/** The projects under way as cards, all projects as a table, and the dialogs about them. */
export function ProjectsTab() {
  const form = useDialog<Project | undefined>('project');
  const team = useDialog<Project>('team');
  const removal = useDialog<Project>('project removal');
  const remove = useDeleteProject();
  const [created, setCreated] = useState<Project | null>(null);
  const active = useInfiniteQuery(projectsQuery({ status: 'In corso', limit: PAGE }));
  const fresh = active.data ? flatten(active.data).items : [];
  const teamProject = fresh.find(({ id }) => id === team.subject?.id) ?? team.subject;
  const actions: Actions = { onTeam: team.open, onEdit: form.open, onDelete: removal.open };
  const openForm = form.open;
  const startNew = useCallback(() => openForm(undefined), [openForm]);
  // What is at hand already is in sight a frame earlier without what lies below it. What is not is asked for at once.
  const whole = useDeferredRender(active.data === undefined);

  return (
    <>
      {created && (
        <Alert
          color="green"
          mb="md"
          icon={<IconCircleCheck aria-hidden="true" />}
          title={PROJECT_TEXTS.created}
          withCloseButton
          closeButtonLabel="Chiudi"
          onClose={() => setCreated(null)}
        >
          <Group gap="sm">
            <Text span>{created.name}</Text>
            <TeamButton project={created} onOpen={() => team.open(created)} />
          </Group>
        </Alert>
      )}
      <ActiveProjects {...actions} onNew={startNew} />
      {whole && <AllProjects {...actions} />}

      <Suspense fallback={null}>
        <ProjectDialog
          opened={form.opened}
          project={form.subject}
          onClose={form.close}
          onCreated={(project) => {
            form.close();
            setCreated(project);
          }}
        />
      </Suspense>
      <TeamDialog
        opened={team.opened}
        project={teamProject}
        onClose={team.close}
        onEdit={(project) => {
          team.close();
          form.open(project);
        }}
      />
      <ConfirmDialog
        opened={removal.opened}
        title="Elimina progetto"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={removal.close}
        onConfirm={async () => {
          if (!removal.subject) return;
          try {
            await remove.mutateAsync(removal.subject.id);
          } catch (error) {
            throw worded(error, PROJECT_FAILURES.delete);
          }
          toast({ title: PROJECT_TEXTS.deleted });
          setCreated(null);
        }}
      >
        Vuoi eliminare <strong>{removal.subject?.name}</strong>? Il progetto e le sue assegnazioni spariscono;
        i dipendenti e le fatture restano.
      </ConfirmDialog>
    </>
  );
}
