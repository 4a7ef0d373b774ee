import { Button } from '@mantine/core';
import { IconFileImport, IconPencil, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentProps, memo, useCallback, useMemo, useRef } from 'react';
import { useAddressFilters, useAddressSearch, useShownAtOnce } from '#client/lib/address-filters.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { useDistinctNames } from '#client/lib/namesakes.ts';
import { useScrollToSearch } from '#client/lib/scroll-to-search.ts';
import { toast } from '#client/lib/toast.ts';
import { useDialog } from '#client/lib/use-dialog.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DataTable } from '#client/ui/data-table.tsx';
import { ExportMenu } from '#client/ui/export-menu.tsx';
import { Filters, type Order, orderOf } from '#client/ui/filters.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { useDeferredRender } from '#client/ui/incremental-render.ts';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { RecordBadges } from '#client/ui/record-badges.tsx';
import { RowButton } from '#client/ui/row-button.tsx';
import { SamplesNote } from '#client/ui/samples-note.tsx';
import { Section } from '#client/ui/section.tsx';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_ROLES,
  EMPLOYEE_STATUSES,
  EMPLOYEE_TEXTS,
  type Employee,
  type EmployeeListQuery,
} from '#contract/employees.ts';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { employeesQuery, exportEmployees, useDeleteEmployee } from './api.ts';
import { CrewImportDialog } from './crew-import-dialog.tsx';
import { EMPLOYEE_COLUMNS } from './employee-columns.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';
import { EmployeeHistory } from './employee-history.tsx';
import styles from './full-team.module.css';
import { useProjectOptions } from './project-options.ts';
import { StatusSelect } from './status-select.tsx';

type Sort = EmployeeListQuery['sort'];
const ORDERS: readonly [Order<Sort>, ...Order<Sort>[]] = [
  { value: '', label: 'Più recenti', sort: 'createdAt', direction: 'desc' },
  { value: 'nome', label: 'Nome A–Z', sort: 'name', direction: 'asc' },
  { value: 'ruolo', label: 'Ruolo', sort: 'role', direction: 'asc' },
  { value: 'stato', label: 'Stato', sort: 'status', direction: 'asc' },
];

/** Roles to filter by, beginning with that of people without one. */
const ROLES = [EMPLOYEE_DEFAULTS.role, ...EMPLOYEE_ROLES] as const;

/** Value of the project filter for people not on any project 'In corso'. */
const UNASSIGNED = '0';

const nameOf = ({ name }: Employee) => name;
const detailsOf = ({ email, role, project }: Employee) => email ?? `${role}, ${project}`;
const historyOf = (employee: Employee) => <EmployeeHistory employee={employee} />;
const badgeOf = ({ status, sample }: Employee) => <RecordBadges status={status} sample={sample} />;

type Projects = TeamStats['distribution'];

/** The filters and sort order in the URL. */
function criteriaIn(parameters: URLSearchParams, projects: Projects | undefined) {
  const project = parameters.get('progetto') ?? '';
  // A project that was closed or deleted meanwhile is no longer offered, so it does not filter either.
  const known = projects
    ? project === UNASSIGNED || projects.some(({ projectId }) => String(projectId) === project)
    : /^\d+$/.test(project);
  return {
    status: EMPLOYEE_STATUSES.find((entry) => entry === parameters.get('stato')),
    role: ROLES.find((entry) => entry === parameters.get('ruolo')),
    projectId: known ? Number(project) : undefined,
    order: orderOf(ORDERS, parameters.get('ordine')),
  };
}

/**
 * Whom the list shows, in which order.
 * @param parameters filters and sort order in the URL
 * @param projects projects to filter by; undefined while unknown
 */
function filtersOf(search: string, parameters: URLSearchParams, projects: Projects | undefined) {
  const { status, role, projectId, order } = criteriaIn(parameters, projects);
  const { sort, direction } = order;
  return { search, status, role, projectId, sort, direction };
}

/** The query of the list. The parameters are those of `filtersOf`. */
export function teamQuery(...criteria: Parameters<typeof filtersOf>) {
  return employeesQuery(filtersOf(...criteria));
}

const NO_PROJECTS: Projects = [];

/** The search box, filters and order of the list. A choice is shown at once, before the list is rendered for it. */
function TeamFilters({
  search,
  criteria: { status, role, projectId, order },
  projects,
}: {
  search: ReturnType<typeof useAddressSearch>;
  criteria: ReturnType<typeof criteriaIn>;
  /** Projects to filter by. */
  projects: Projects;
}) {
  const [, change] = useAddressFilters<'stato' | 'ruolo' | 'progetto' | 'ordine'>();
  const [shown, show] = useShownAtOnce(
    {
      stato: status ?? '',
      ruolo: role ?? '',
      progetto: projectId === undefined ? '' : String(projectId),
      ordine: order.value,
    },
    change,
  );
  const projectOptions = useProjectOptions(projects);
  return (
    <Filters
      search={search.typed}
      searchBy="nome, ruolo, email o progetto"
      onSearch={search.setTyped}
      choices={[
        {
          label: 'Filtra per stato',
          value: shown.stato,
          options: [{ value: '', label: 'Tutti gli stati' }, ...EMPLOYEE_STATUSES],
          onChange: (stato) => show({ stato }),
        },
        {
          label: 'Filtra per ruolo',
          value: shown.ruolo,
          options: [{ value: '', label: 'Tutti i ruoli' }, ...ROLES],
          onChange: (ruolo) => show({ ruolo }),
        },
        {
          label: 'Filtra per progetto',
          value: shown.progetto,
          options: [
            { value: '', label: 'Tutti i progetti' },
            { value: UNASSIGNED, label: 'Senza progetto' },
            ...projectOptions,
          ],
          onChange: (progetto) => show({ progetto }),
        },
        {
          label: 'Ordina per',
          value: shown.ordine,
          options: ORDERS,
          onChange: (ordine) => show({ ordine }),
        },
      ]}
    />
  );
}

/** The status and the buttons at the end of an employee's row. */
function EmployeeRowActions({
  employee,
  name,
  onEdit,
  onDelete,
}: {
  employee: Employee;
  /** Told apart from others of the same name. */
  name: string;
  onEdit: (employee: Employee) => void;
  onDelete: (employee: Employee) => void;
}) {
  return (
    <div className={styles.actions}>
      <StatusSelect person={employee} name={name} />
      <IconButton
        aria-label={`Modifica ${name}`}
        disabled={employee.sample}
        onClick={() => onEdit(employee)}
      >
        <IconPencil size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
      <RowButton
        look="danger"
        aria-label={`Elimina ${name}`}
        disabled={employee.sample}
        onClick={() => onDelete(employee)}
      >
        Elimina
      </RowButton>
    </div>
  );
}

/** Asks before an employee is deleted. */
function RemovalDialog({
  opened,
  employee,
  name,
  onClose,
}: {
  opened: boolean;
  employee: Employee | undefined;
  name: string | undefined;
  onClose: () => void;
}) {
  const remove = useDeleteEmployee();
  return (
    <ConfirmDialog
      opened={opened}
      title="Elimina dipendente"
      confirmLabel="Elimina"
      busyLabel="Eliminando..."
      onClose={onClose}
      onConfirm={async () => {
        if (!employee) return;
        await remove.mutateAsync(employee.id);
        toast({ title: EMPLOYEE_TEXTS.deleted });
      }}
    >
      Vuoi eliminare <strong>{name}</strong>? Sparisce da tutti i progetti, con la sua cronologia.
    </ConfirmDialog>
  );
}

/** The employees who match, with what can be done with each; or that there are none. */
function FoundEmployees({
  items,
  total,
  pages,
  filtered,
  distinctName,
  onEdit,
  onDelete,
}: {
  items: readonly Employee[];
  /** How many there are with those not read yet. */
  total: number;
  pages: ComponentProps<typeof LoadMore>['pages'];
  /** Whether others are left out by the search or a filter. */
  filtered: boolean;
  distinctName: (employee: Employee) => string;
  onEdit: (employee: Employee) => void;
  onDelete: (employee: Employee) => void;
}) {
  const actions = useCallback(
    (employee: Employee) => (
      <EmployeeRowActions
        employee={employee}
        name={distinctName(employee)}
        onEdit={onEdit}
        onDelete={onDelete}
      />
    ),
    [onEdit, onDelete, distinctName],
  );
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
      {!filtered && items[0]?.sample && (
        <SamplesNote title={EMPLOYEE_TEXTS.empty}>Intanto ecco cinque esempi.</SamplesNote>
      )}
      <DataTable
        caption="Team completo"
        tableFrom={59}
        dense
        rows={items}
        rowKey={({ id }) => id}
        title={distinctName}
        cardTitle={nameOf}
        columns={EMPLOYEE_COLUMNS}
        cardBadge={badgeOf}
        details={historyOf}
        actions={actions}
      />
      <LoadMore shown={items.length} total={total} pages={pages} />
    </>
  );
}

/** All employees with search and filters, and their dialogs. Memoized, because it is most of the page. */
export const FullTeam = memo(function FullTeam({
  projects,
}: {
  /** Projects to filter by; undefined while unknown. */
  projects: Projects | undefined;
}) {
  const search = useAddressSearch();
  const [parameters] = useAddressFilters();
  const criteria = criteriaIn(parameters, projects);
  const filters = filtersOf(search.settled, parameters, projects);
  const query = useInfiniteQuery(employeesQuery(filters));
  const { status, role, projectId } = criteria;
  const filtered = [search.settled || undefined, status, role, projectId].some(
    (entry) => entry !== undefined,
  );
  const items = useMemo(() => (query.data ? flatten(query.data).items : []), [query.data]);
  const distinctName = useDistinctNames(items, nameOf, detailsOf);
  const empty = !filtered && query.data !== undefined && items.length === 0;
  const form = useDialog<Employee | undefined>('employee');
  const removal = useDialog<Employee>('employee removal');
  const crew = useDialog<undefined>('crew');
  const following = useDeferredRender();
  const section = useRef<HTMLElement>(null);
  useScrollToSearch(section);

  return (
    <Section
      ref={section}
      title="Team Completo"
      actions={
        <>
          {items[0]?.sample !== true && (
            <ExportMenu name="team" load={(format) => exportEmployees(filters, format)} />
          )}
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
      {!empty && <TeamFilters search={search} criteria={criteria} projects={projects ?? NO_PROJECTS} />}
      {following && (
        <Loaded
          query={query}
          skeleton={<RowsSkeleton label={PROJECT_TEXTS.loading} />}
          errorTitle={PROJECT_TEXTS.loadFailed}
          errorHint={PROJECT_TEXTS.loadHint}
        >
          {(data) => (
            <FoundEmployees
              items={items}
              total={flatten(data).total}
              pages={query}
              filtered={filtered}
              distinctName={distinctName}
              onEdit={form.open}
              onDelete={removal.open}
            />
          )}
        </Loaded>
      )}

      <EmployeeDialog opened={form.opened} employee={form.subject} onClose={form.close} />
      <CrewImportDialog opened={crew.opened} onClose={crew.close} />
      <RemovalDialog
        opened={removal.opened}
        employee={removal.subject}
        name={removal.subject && distinctName(removal.subject)}
        onClose={removal.close}
      />
    </Section>
  );
});
