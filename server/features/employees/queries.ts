import { and, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import {
  type Assignment,
  type AssignmentPeriod,
  type CrewMatches,
  currentAssignment,
  EMPLOYEE_DEFAULTS,
  type Employee,
  type EmployeeFilters,
  type EmployeeListQuery,
  isSampleEmployee,
  type StatusChange,
  sampleEmployees,
} from '#contract/employees.ts';
import { MAX_EXPORTED_EMPLOYEES } from '#contract/errors.ts';
import { containWords, foldText } from '#contract/lists.ts';
import type { UserId } from '#server/auth/actor.ts';
import {
  afterCursor,
  instantText,
  type Ordering,
  orderBy,
  orderingOf,
  type Page,
  pageOf,
  pageOfSamples,
  type SortKey,
  sortKey,
} from '#server/db/keyset.ts';
import { isOneOf } from '#server/db/one-of.ts';
import { listOwn } from '#server/db/own-list.ts';
import {
  assignmentPeriods,
  employeeStatusChanges,
  employees,
  projectAssignments,
  projects,
} from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded } from '#server/db/search.ts';
import { selectionOf } from '#server/db/selection.ts';
import { AppError } from '#server/errors.ts';
import { pagesOf, type SpreadsheetColumn } from '#server/http/spreadsheet.ts';

const id = sql.raw('"employees"."id"');

const SORTS: Record<EmployeeListQuery['sort'], SortKey> = {
  createdAt: sortKey('"employees"."id"', 'bigint'),
  name: sortKey('fold("employees"."name")', 'text'),
  role: sortKey('fold("employees"."role")', 'text'),
  status: sortKey('"employees"."status"', 'text'),
};

/**
 * An employee's assignments and projects; more conditions can be appended. A foreign key guarantees that assignment and
 * project have the same owner: repeating that condition would make the planner search all of the owner's projects.
 */
const ON_A_PROJECT = sql`${projectAssignments} "a"
  join ${projects} "p" on "p"."id" = "a"."project_id"
  where "a"."employee_id" = ${employees.id} and "a"."user_id" = ${employees.userId}`;

/**
 * Whether a text is in the phone number, however the digits of either are grouped and whether or not the prefix of Italy is
 * written; undefined for what is no part of a number.
 */
function isInPhone(text: string): SQL | undefined {
  const digits = text.replace(/^(?:\+|00)39/, '').replace(/[\s+().\-/]/g, '');
  // Fewer are in most numbers.
  if (!/^\d{3,}$/.test(digits)) return undefined;
  return sql`regexp_replace(${employees.phone}, '\\D', '', 'g') like ${containsFolded(digits)}`;
}

/** Whether a word matches the name, role, department, e-mail, phone, or the name or place of a project. */
function matches(word: string): SQL | undefined {
  const pattern = containsFolded(word);
  return or(
    sql`fold(${employees.name}) like ${pattern}`,
    sql`fold(${employees.role}) like ${pattern}`,
    sql`fold(${employees.department}) like ${pattern}`,
    sql`${employees.email} like ${pattern}`,
    isInPhone(word),
    sql`exists (select from ${ON_A_PROJECT}
      and (fold("p"."name") like ${pattern} or fold("p"."location") like ${pattern}))`,
  );
}

/**
 * Whether an employee is on the owner's project `projectId` or, for 0, on none of the owner's projects 'In corso'. Both
 * are written so that they do not become joins: the planner expects few employees per customer and would use a nested
 * loop for large ones.
 */
function assignedTo(owner: UserId, projectId: number): SQL {
  const isAsked = projectId === 0 ? sql`"p"."status" = 'In corso'` : sql`"p"."id" = ${projectId}`;
  const isOnIt = sql`${employees.id} in (select "a"."employee_id" from ${projectAssignments} "a"
    join ${projects} "p" on "p"."id" = "a"."project_id" where "p"."user_id" = ${owner} and ${isAsked})`;
  return projectId === 0 ? sql`(${isOnIt}) is not true` : sql`(${isOnIt}) is true`;
}

const selection = selectionOf(getTableColumns(employees));

/** The assignments of each employee, joined laterally: one statement for any number of employees. */
const ASSIGNMENTS = sql`left join lateral (
  select coalesce(jsonb_agg(jsonb_build_object(
    'projectId', p.id, 'projectName', p.name, 'location', p.location,
    'startDate', p.start_date, 'endDate', p.end_date, 'completed', p.status = 'Completato'
  ) order by p.start_date desc, p.id desc), '[]') as assignments
  from ${ON_A_PROJECT}
) work on true`;

type Assigned = { assignments: Assignment[] };

function read(row: Assigned & Record<string, unknown>, today: CalendarDate): Employee {
  const employee = selection.read(row);
  const { assignments } = row;
  const current = currentAssignment(assignments, today);
  return {
    ...employee,
    assignments,
    project: current?.projectName ?? EMPLOYEE_DEFAULTS.project,
    location: current?.location ?? EMPLOYEE_DEFAULTS.location,
    sample: false,
    createdAt: employee.createdAt.toISOString(),
  };
}

/** Which of the owner's employees a query asks for. */
function matching(owner: UserId, query: EmployeeFilters & Pick<EmployeeListQuery, 'ids'>): SQL | undefined {
  return and(
    eq(employees.userId, owner),
    query.status && eq(employees.status, query.status),
    query.role ? eq(employees.role, query.role) : undefined,
    query.projectId === undefined ? undefined : assignedTo(owner, query.projectId),
    query.ids ? isOneOf(employees.id, query.ids) : undefined,
    query.search ? or(containsEachWord(query.search, matches), isInPhone(query.search)) : undefined,
  );
}

/** A page of the owner's employees, or of the sample ones while the owner has none (spec §3). */
export async function listEmployees(
  db: Database,
  owner: UserId,
  query: EmployeeListQuery,
): Promise<Page<Employee>> {
  const today = todayInRome();
  return listOwn(db, owner, query, {
    table: employees,
    sorts: SORTS,
    filter: matching(owner, query),
    columns: sql`${selection.columns}, work.*`,
    joins: ASSIGNMENTS,
    present: (row: Assigned & Record<string, unknown>) => read(row, today),
    samples: () => samplesOf(query, today),
  });
}

/** An employee in an export, and the assignment that it tells about. */
type ExportedEmployee = Employee & { assignment: Assignment | undefined };

/** The columns of an export. */
export const employeeSheet: SpreadsheetColumn<ExportedEmployee>[] = [
  { header: 'Nome e cognome', type: 'text', width: 32, value: ({ name }) => name },
  { header: 'Ruolo', type: 'text', width: 18, value: ({ role }) => role },
  { header: 'Reparto', type: 'text', width: 24, value: ({ department }) => department },
  { header: 'Email', type: 'text', width: 32, value: ({ email }) => email },
  { header: 'Telefono', type: 'text', width: 20, value: ({ phone }) => phone },
  { header: 'Stato', type: 'text', width: 14, value: ({ status }) => status },
  { header: 'Progetto', type: 'text', width: 32, value: ({ assignment }) => assignment?.projectName ?? null },
  { header: 'Località', type: 'text', width: 24, value: ({ assignment }) => assignment?.location ?? null },
  { header: 'Dal', type: 'date', width: 16, value: ({ assignment }) => assignment?.startDate ?? null },
  { header: 'Al', type: 'date', width: 16, value: ({ assignment }) => assignment?.endDate ?? null },
];

/**
 * The owner's employees that match `filters`, in the requested order, page by page; no sample ones. Each is told about
 * together with the project that is asked for or, without one, the project that determines where they are. Who they are
 * and their order is decided before the first page: an employee changed between two pages is neither repeated nor left
 * out, unless they no longer match.
 * @param today in Europe/Rome
 * @throws AppError employee_export_too_large before the first page, when there are more than `most`
 */
export async function exportEmployees(
  db: Database,
  owner: UserId,
  filters: EmployeeFilters,
  today: CalendarDate,
  { atOnce, most = MAX_EXPORTED_EMPLOYEES }: { atOnce?: number; most?: number } = {},
): Promise<AsyncIterable<ExportedEmployee[]>> {
  const ordered = await db
    .select({ id: employees.id })
    .from(employees)
    .where(matching(owner, filters))
    .orderBy(orderBy(orderingOf(SORTS, filters), id))
    .limit(most + 1);
  if (ordered.length > most) throw new AppError('employee_export_too_large');
  return (async function* () {
    for await (const page of pagesOf(ordered, atOnce)) {
      const ids = page.map((row) => row.id);
      const { items } = await listEmployees(db, owner, { ...filters, ids, limit: ids.length });
      yield items.map((employee) => ({
        ...employee,
        assignment:
          employee.assignments.find(({ projectId }) => projectId === filters.projectId) ??
          currentAssignment(employee.assignments, today),
      }));
    }
  })();
}

const SAMPLE_SORTS: Record<EmployeeListQuery['sort'], (sample: Employee) => string | number> = {
  createdAt: ({ id }) => id,
  name: ({ name }) => foldText(name),
  role: ({ role }) => foldText(role),
  status: ({ status }) => status,
};

function samplesOf(query: EmployeeListQuery, today: CalendarDate): Page<Employee> {
  const { search, status, role, projectId, ids } = query;
  const items = sampleEmployees(today).filter(
    (person) =>
      (!status || person.status === status) &&
      (!role || person.role === role) &&
      (!ids || ids.includes(person.id)) &&
      (projectId === undefined ||
        (projectId === 0
          ? person.assignments.every(({ completed }) => completed)
          : person.assignments.some((entry) => entry.projectId === projectId))) &&
      containWords(
        [
          person.name,
          person.role,
          ...person.assignments.flatMap(({ projectName, location }) => [projectName, location]),
        ],
        search ?? '',
      ),
  );
  return pageOfSamples(items, SAMPLE_SORTS, query);
}

/** One employee of the owner, or a sample one by its id; null when there is none. */
export async function findEmployee(
  db: Database,
  owner: UserId,
  employeeId: number,
): Promise<Employee | null> {
  const today = todayInRome();
  if (isSampleEmployee(employeeId)) {
    return sampleEmployees(today).find((person) => person.id === employeeId) ?? null;
  }
  const { rows } = await db.execute<Assigned>(sql`
    select ${selection.columns}, work.* from employees ${ASSIGNMENTS}
    where employees.id = ${employeeId} and employees.user_id = ${owner}`);
  return rows[0] ? read(rows[0], today) : null;
}

/** Those of `names` that employees of the owner already have, ignoring case and accents, with who has them. */
export async function findCrewMatches(
  db: Database,
  owner: UserId,
  names: readonly string[],
): Promise<CrewMatches> {
  // Grouped instead of joined: until PostgreSQL has counted a team that was just imported, it would compare each with each.
  const { rows } = await db.execute<{ names: string[]; employees: CrewMatches[number]['employees'] }>(sql`
    select array_agg(distinct listed.name) filter (where listed.name is not null) as names,
      jsonb_agg(jsonb_build_object('id', listed.id, 'projectIds', (
        select coalesce(jsonb_agg(a.project_id order by a.project_id), '[]') from project_assignments a
        where a.employee_id = listed.id and a.user_id = ${owner}
      )) order by listed.id) filter (where listed.id is not null) as employees
    from (
      select fold(asked.name) as folded, asked.name, null::int as id
      from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) asked (name)
      union all
      select fold(e.name), null, e.id from employees e where e.user_id = ${owner}
    ) listed
    group by listed.folded
    having count(listed.name) > 0 and count(listed.id) > 0`);
  return rows.flatMap(({ names: alike, employees }) => alike.map((name) => ({ name, employees })));
}

type HistoryQuery = { limit: number; cursor?: string | undefined };

/** What is selected for a page of an employee's history, the latest entry first. */
function historyPage(
  table: typeof assignmentPeriods | typeof employeeStatusChanges,
  at: SQL,
  own: SQL | undefined,
  { limit, cursor }: HistoryQuery,
) {
  const entry = sql`${table.id}`;
  const ordering: Ordering = {
    name: 'latest',
    direction: 'desc',
    key: { expression: at, type: 'timestamptz' },
  };
  const counted = sql`(select count(*)::int from ${table} where ${own})`;
  return {
    columns: { id: table.id, key: instantText(at), total: sql<number>`${counted}`.as('total') },
    where: and(own, afterCursor(ordering, entry, cursor)),
    order: orderBy(ordering, entry),
    limit: limit + 1,
    list: {
      ordering,
      counted,
      none: 0,
      positionOf: (row: { id: number; key: string }) => ({ value: row.key, id: row.id }),
    },
  };
}

/**
 * The periods in which an employee was assigned to projects, the latest assignment first, in pages; null when there is no
 * such employee.
 */
export async function listAssignmentPeriods(
  db: Database,
  owner: UserId,
  employeeId: number,
  query: HistoryQuery,
): Promise<Page<AssignmentPeriod> | null> {
  const employee = await findEmployee(db, owner, employeeId);
  if (!employee) return null;
  if (employee.sample) {
    const items = employee.assignments.map(({ completed: _, ...assignment }) => ({
      ...assignment,
      id: assignment.projectId,
      assignedAt: `${assignment.startDate}T08:00:00.000Z`,
      removedAt: null,
    }));
    return { items, nextCursor: null, total: items.length };
  }
  const own = and(eq(assignmentPeriods.employeeId, employeeId), eq(assignmentPeriods.userId, owner));
  const page = historyPage(assignmentPeriods, sql`${assignmentPeriods.assignedAt}`, own, query);
  const rows = await db
    .select({
      ...page.columns,
      projectId: assignmentPeriods.projectId,
      projectName: sql<string>`coalesce(${projects.name}, ${assignmentPeriods.projectName})`.as(
        'project_name',
      ),
      location: sql<string>`coalesce(${projects.location}, ${assignmentPeriods.location})`.as('location'),
      startDate: sql<CalendarDate>`coalesce(${projects.startDate}, ${assignmentPeriods.startDate})::text`.as(
        'start_date',
      ),
      endDate: sql<CalendarDate>`coalesce(${projects.endDate}, ${assignmentPeriods.endDate})::text`.as(
        'end_date',
      ),
      assignedAt: assignmentPeriods.assignedAt,
      removedAt: assignmentPeriods.removedAt,
    })
    .from(assignmentPeriods)
    .leftJoin(projects, and(eq(projects.id, assignmentPeriods.projectId), eq(projects.userId, owner)))
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return pageOf(db, rows, query, {
    ...page.list,
    present: ({ key: _, total: __, ...period }) => ({
      ...period,
      assignedAt: period.assignedAt.toISOString(),
      removedAt: period.removedAt?.toISOString() ?? null,
    }),
  });
}

/** The statuses an employee has had, the latest first, in pages; null when there is no such employee. */
export async function listStatusChanges(
  db: Database,
  owner: UserId,
  employeeId: number,
  query: HistoryQuery,
): Promise<Page<StatusChange> | null> {
  const employee = await findEmployee(db, owner, employeeId);
  if (!employee) return null;
  if (employee.sample) {
    return {
      items: [{ id: 1, status: employee.status, at: employee.createdAt }],
      nextCursor: null,
      total: 1,
    };
  }
  const own = and(eq(employeeStatusChanges.employeeId, employeeId), eq(employeeStatusChanges.userId, owner));
  const page = historyPage(employeeStatusChanges, sql`${employeeStatusChanges.at}`, own, query);
  const rows = await db
    .select({ ...page.columns, status: employeeStatusChanges.status, at: employeeStatusChanges.at })
    .from(employeeStatusChanges)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return pageOf(db, rows, query, {
    ...page.list,
    present: ({ id, status, at }) => ({ id, status, at: at.toISOString() }),
  });
}
