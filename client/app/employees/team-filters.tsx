import { useAddressFilters, type useAddressSearch, useShownAtOnce } from '#client/lib/address-filters.ts';
import { Filters, type Order, orderOf } from '#client/ui/filters.tsx';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_ROLES,
  EMPLOYEE_STATUSES,
  type EmployeeListQuery,
} from '#contract/employees.ts';
import type { TeamStats } from '#contract/projects.ts';
import { employeesQuery } from './api.ts';
import { useProjectOptions } from './project-options.ts';

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

type Projects = TeamStats['distribution'];

/** The filters and sort order in the URL. */
export function criteriaIn(parameters: URLSearchParams, projects: Projects | undefined) {
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
export function filtersOf(search: string, parameters: URLSearchParams, projects: Projects | undefined) {
  const { status, role, projectId, order } = criteriaIn(parameters, projects);
  const { sort, direction } = order;
  return { search, status, role, projectId, sort, direction };
}

/** The query of the list. The parameters are those of `filtersOf`. */
export function teamQuery(...criteria: Parameters<typeof filtersOf>) {
  return employeesQuery(filtersOf(...criteria));
}

/** The search box, filters and order of the list. A choice is shown at once, before the list is rendered for it. */
export function TeamFilters({
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
      searchBy="nome, ruolo, contatti o progetto"
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
