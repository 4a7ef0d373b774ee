import {
  addDays,
  type CalendarDate,
  calendarDateSchema,
  daysBetween,
  instantSchema,
  todayInRome,
} from './dates.ts';
import { figure } from './figures.ts';
import { MAX_PHONE_LENGTH } from './lengths.ts';
import { EXPORT_FORMATS, idOrNoneFilterSchema, listQuerySchema, listSchema, MAX_PAGE_SIZE } from './lists.ts';
import { oneLine, optionalEmailAddress, optionalLine, readable, requiredLine, z } from './validation.ts';

/** Roles a new employee can have (spec §9). */
export const EMPLOYEE_ROLES = [
  'Capocantiere',
  'Cantierista',
  'Analista Dati',
  'Ingegnere',
  'Tecnico',
  'Supervisore',
] as const;

/** States of an employee (spec §4). */
export const EMPLOYEE_STATUSES = ['in trasferta', 'Rientrato', 'disponibile'] as const;
export type EmployeeStatus = (typeof EMPLOYEE_STATUSES)[number];

/** The states a user can switch between (spec §4); 'disponibile' is only the initial state. */
export const SWITCHABLE_STATUSES = ['in trasferta', 'Rientrato'] as const;
export type SwitchableStatus = (typeof SWITCHABLE_STATUSES)[number];

/** Placeholders for an employee's empty fields (spec §3). */
export const EMPLOYEE_DEFAULTS = {
  role: 'Non specificato',
  project: 'Non assegnato',
  location: 'Non specificata',
} as const;

/** Maximum lengths of an employee's texts, in characters. `name` is first name and surname together. */
export const EMPLOYEE_LIMITS = {
  firstName: 79,
  surname: 80,
  name: 160,
  role: 80,
  department: 120,
  phone: MAX_PHONE_LENGTH,
} as const;

/** The largest crew list imported at once. */
export const MAX_IMPORT_ROWS = 2_000;

/** Texts of screens and toasts about employees (spec §2, §8). */
export const EMPLOYEE_TEXTS = {
  added: 'Dipendente aggiunto con successo',
  statusChanged: 'Stato dipendente aggiornato',
  deleted: 'Dipendente eliminato',
  updated: 'Dipendente aggiornato',
  empty: 'Nessun dipendente trovato. Crea un progetto per iniziare ad aggiungere membri del team.',
  nameMissing: 'Il nome è obbligatorio',
  surnameMissing: 'Il cognome è obbligatorio',
  roleMissing: 'Il ruolo è obbligatorio',
  roleUnknown: `Ruolo non previsto. Scegli fra: ${EMPLOYEE_ROLES.join(', ')}`,
} as const;

/** Failure texts of actions on employees (spec §8). */
export const EMPLOYEE_FAILURES = {
  add: {
    unauthenticated: 'Devi essere autenticato per aggiungere un dipendente',
    failed: "Errore durante l'aggiunta del dipendente",
  },
  status: {
    unauthenticated: 'Devi essere autenticato per aggiornare lo stato',
    failed: "Errore durante l'aggiornamento dello stato",
  },
  delete: {
    unauthenticated: 'Devi essere autenticato per eliminare un dipendente',
    failed: "Errore durante l'eliminazione del dipendente",
  },
} as const;

const maybeBlank = (max: number) => z.string().overwrite(oneLine).max(max, `Al massimo ${max} caratteri`);

/** A new member as sent by the project dialog; any field may still be blank. */
export const newMemberSchema = z.strictObject({
  name: maybeBlank(EMPLOYEE_LIMITS.firstName),
  surname: maybeBlank(EMPLOYEE_LIMITS.surname),
  role: z.enum(['', ...EMPLOYEE_ROLES], { error: EMPLOYEE_TEXTS.roleUnknown }),
});
export type NewMember = z.infer<typeof newMemberSchema>;

/**
 * A new member of an existing project. The key identifies the person across repeats, even with another project version.
 */
export const keyedMemberSchema = newMemberSchema.extend({ key: z.uuid().optional() });
export type KeyedMember = z.infer<typeof keyedMemberSchema>;

/** Whether a new member is created: only with name, surname and role filled in (spec §5). */
export function isCompleteMember(member: NewMember): boolean {
  return readable(member.name) !== '' && readable(member.surname) !== '' && member.role !== '';
}

/** Name and surname as they are stored: 'Nome Cognome', single spaces. */
export function fullName(name: string, surname: string): string {
  return `${name} ${surname}`.trim().replace(/\s+/g, ' ');
}

/** At most two initials of a name, for an avatar: 'Mario De Rossi' → 'MR'. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

/** An assignment to a project, from the employee's side. */
export const assignmentSchema = z.object({
  projectId: z.int(),
  projectName: z.string(),
  location: z.string(),
  startDate: calendarDateSchema,
  endDate: calendarDateSchema,
  /** Whether the project is 'Completato'. */
  completed: z.boolean(),
});
export type Assignment = z.infer<typeof assignmentSchema>;

type Period = { startDate: CalendarDate; endDate: CalendarDate };

/** Whether two periods share at least one day; both ends are inclusive. */
export function datesOverlap(a: Period, b: Period): boolean {
  return a.startDate <= b.endDate && b.startDate <= a.endDate;
}

/** Pairs of assignments on projects 'In corso' whose dates overlap, so that somebody is expected in two places. */
export function overlappingAssignments(assignments: readonly Assignment[]): [Assignment, Assignment][] {
  const open = assignments.filter(({ completed }) => !completed);
  return open.flatMap((first, index) =>
    open
      .slice(index + 1)
      .filter((second) => datesOverlap(first, second))
      .map((second): [Assignment, Assignment] => [first, second]),
  );
}

/** Sort key for `currentAssignment`: the kind of assignment, then its distance from `today` in days. */
function nearness({ startDate, endDate }: Period, today: CalendarDate): [kind: number, days: number] {
  if (startDate > today) return [1, daysBetween(today, startDate)];
  return endDate >= today ? [0, daysBetween(startDate, today)] : [2, daysBetween(endDate, today)];
}

/**
 * The assignment that determines where an employee is. Among projects 'In corso': the one under way that started last,
 * otherwise the next to start, otherwise the last to end. Ties go to the project created first. Home applies the same
 * rule in SQL (server/features/dashboard/queries.ts). Undefined when there is none.
 */
export function currentAssignment(
  assignments: readonly Assignment[],
  today: CalendarDate,
): Assignment | undefined {
  const open = assignments
    .filter(({ completed }) => !completed)
    .map((assignment) => ({ assignment, near: nearness(assignment, today) }));
  const [first] = open.sort(
    (a, b) =>
      a.near[0] - b.near[0] || a.near[1] - b.near[1] || a.assignment.projectId - b.assignment.projectId,
  );
  return first?.assignment;
}

/** An employee of a customer (spec §3). `project` and `location` are derived from the assignments. */
export const employeeSchema = z.object({
  id: z.int(),
  name: z.string(),
  role: z.string(),
  department: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  status: z.enum(EMPLOYEE_STATUSES),
  project: z.string(),
  location: z.string(),
  assignments: z.array(assignmentSchema),
  /**
   * Incremented by each edit, which sends the version it started from. Status changes do not count, because edits never
   * write the status.
   */
  version: z.int(),
  /** Whether it is a sample record: read-only. */
  sample: z.boolean(),
  createdAt: instantSchema,
});
export type Employee = z.infer<typeof employeeSchema>;

const details = {
  role: z.enum([EMPLOYEE_DEFAULTS.role, ...EMPLOYEE_ROLES], {
    error: ({ input }) => (input === '' ? EMPLOYEE_TEXTS.roleMissing : EMPLOYEE_TEXTS.roleUnknown),
  }),
  department: optionalLine(EMPLOYEE_LIMITS.department),
  email: optionalEmailAddress(),
  phone: optionalLine(EMPLOYEE_LIMITS.phone),
};

/** A new employee outside a project. */
export const employeeInputSchema = z.strictObject({
  name: requiredLine(EMPLOYEE_TEXTS.nameMissing, EMPLOYEE_LIMITS.firstName),
  surname: requiredLine(EMPLOYEE_TEXTS.surnameMissing, EMPLOYEE_LIMITS.surname),
  ...details,
});
export type EmployeeInput = z.input<typeof employeeInputSchema>;

/** An edited employee, in full, with the version the edit started from. `name` includes the surname. */
export const employeeChangeSchema = z.strictObject({
  name: requiredLine(EMPLOYEE_TEXTS.nameMissing, EMPLOYEE_LIMITS.name),
  ...details,
  version: z.int().min(1),
});
export type EmployeeChange = z.input<typeof employeeChangeSchema>;

/** A change of status. */
export const employeeStatusSchema = z.strictObject({
  status: z.enum(SWITCHABLE_STATUSES, { error: 'Scegli «in trasferta» o «Rientrato»' }),
});

const tooManyRows = `Al massimo ${figure(MAX_IMPORT_ROWS)} righe`;

/**
 * A crew list, imported whole or not at all: `employees` are added, to a project if one is named; `employeeIds` are employees
 * already and join that project.
 */
export const crewImportSchema = z
  .strictObject({
    employees: z.array(employeeInputSchema).max(MAX_IMPORT_ROWS, tooManyRows),
    employeeIds: z.array(z.int()).max(MAX_IMPORT_ROWS, tooManyRows).default([]),
    projectId: z.int().nullish(),
  })
  .refine(({ employees, employeeIds }) => employees.length + employeeIds.length > 0, {
    path: ['employees'],
    error: 'L’elenco è vuoto',
  })
  .refine(({ employeeIds, projectId }) => employeeIds.length === 0 || typeof projectId === 'number', {
    path: ['projectId'],
    error: 'Scegli un progetto',
  });
export type CrewImport = z.input<typeof crewImportSchema>;

/** Names in a crew list ('Nome Cognome'), to check for existing employees before the import. */
export const crewMatchQuerySchema = z.strictObject({
  names: z.array(z.string().overwrite(oneLine).max(EMPLOYEE_LIMITS.name)).max(MAX_IMPORT_ROWS, tooManyRows),
});

/** The names that employees already have, ignoring case and accents, as they were sent; who has each, and their projects. */
export const crewMatchSchema = z.object({
  matches: z.array(
    z.object({
      name: z.string(),
      employees: z.array(z.object({ id: z.int(), projectIds: z.array(z.int()) })).min(1),
    }),
  ),
});
export type CrewMatches = z.infer<typeof crewMatchSchema>['matches'];

/** Result of an import: how many employees were added, and how many others are on the project. */
export const crewImportResultSchema = z.object({ added: z.int(), assigned: z.int() });

export const EMPLOYEE_SORTS = ['createdAt', 'name', 'role', 'status'] as const;

/**
 * Query of the list of employees. `projectId` 0 means those on no project 'In corso'; `ids` are separated by commas, at
 * most as many as a page has rows.
 */
export const employeeListQuerySchema = listQuerySchema.extend({
  status: z.enum(EMPLOYEE_STATUSES).optional(),
  role: z.string().max(EMPLOYEE_LIMITS.role).optional(),
  projectId: idOrNoneFilterSchema,
  ids: z
    .string()
    .regex(new RegExp(`^\\d{1,15}(,\\d{1,15}){0,${MAX_PAGE_SIZE - 1}}$`))
    .transform((text) => text.split(',').map(Number))
    .optional(),
  sort: z.enum(EMPLOYEE_SORTS).default('createdAt'),
  direction: z.enum(['asc', 'desc']).default('desc'),
});
export type EmployeeListQuery = z.output<typeof employeeListQuerySchema>;
export const employeeListSchema = listSchema(employeeSchema);

/** Filters, order and format of an export; the filters and order are those of the list. */
export const employeeExportSchema = employeeListQuerySchema
  .omit({ limit: true, cursor: true, ids: true })
  .extend({ format: z.enum(EXPORT_FORMATS) });
export type EmployeeFilters = Omit<EmployeeListQuery, 'limit' | 'cursor' | 'ids'>;

export const employeeHistoryQuerySchema = listQuerySchema.omit({ search: true });

/** A period in which an employee was assigned to a project. */
const assignmentPeriodSchema = z.object({
  id: z.int(),
  /** Null when the project has been deleted. */
  projectId: z.int().nullable(),
  projectName: z.string(),
  location: z.string(),
  startDate: calendarDateSchema,
  endDate: calendarDateSchema,
  assignedAt: instantSchema,
  /** Null while still assigned. */
  removedAt: instantSchema.nullable(),
});
export type AssignmentPeriod = z.infer<typeof assignmentPeriodSchema>;
export const assignmentPeriodListSchema = listSchema(assignmentPeriodSchema);

const statusChangeSchema = z.object({ id: z.int(), status: z.enum(EMPLOYEE_STATUSES), at: instantSchema });
export type StatusChange = z.infer<typeof statusChangeSchema>;
export const statusChangeListSchema = listSchema(statusChangeSchema);

/** Ids of the sample employees (spec §9). */
const SAMPLE_EMPLOYEE_IDS = { first: 99_995, last: 99_999 } as const;

/** Whether `id` belongs to a sample employee, which cannot be changed (architecture: the exact ids). */
export function isSampleEmployee(id: number): boolean {
  return id >= SAMPLE_EMPLOYEE_IDS.first && id <= SAMPLE_EMPLOYEE_IDS.last;
}

/** Names of the two sample projects that the sample employees are on. */
export const SAMPLE_PROJECT_PLACES = {
  running: { id: 99_999, name: 'Esempio: Manutenzione raffineria', location: 'Priolo Gargallo (SR)' },
  done: { id: 99_998, name: 'Esempio: Ampliamento stabilimento', location: 'Modena' },
} as const;

/** Dates of the sample projects relative to `today`: one is always half-way, the other always over. */
export function samplePeriods(today: CalendarDate): Record<keyof typeof SAMPLE_PROJECT_PLACES, Period> {
  return {
    running: { startDate: addDays(today, -24), endDate: addDays(today, 36) },
    done: { startDate: addDays(today, -120), endDate: addDays(today, -45) },
  };
}

/** The five sample employees (spec §3), shown while a user has none. */
export function sampleEmployees(today: CalendarDate = todayInRome()): Employee[] {
  const periods = samplePeriods(today);
  const on = (which: keyof typeof SAMPLE_PROJECT_PLACES): Assignment => {
    const { id, name, location } = SAMPLE_PROJECT_PLACES[which];
    return { projectId: id, projectName: name, location, ...periods[which], completed: which === 'done' };
  };
  const people: [string, string, EmployeeStatus, Assignment[]][] = [
    ['Marco Ferrari', 'Capocantiere', 'in trasferta', [on('running'), on('done')]],
    ['Giulia Esposito', 'Ingegnere', 'in trasferta', [on('running')]],
    ['Luca Romano', 'Tecnico', 'in trasferta', [on('running')]],
    ['Sara Conti', 'Supervisore', 'Rientrato', [on('done')]],
    ['Andrea Greco', 'Cantierista', 'disponibile', []],
  ];
  return people.map(([name, role, status, assignments], index) => {
    const current = currentAssignment(assignments, today);
    return {
      id: SAMPLE_EMPLOYEE_IDS.last - index,
      name,
      role,
      department: null,
      email: null,
      phone: null,
      status,
      project: current?.projectName ?? EMPLOYEE_DEFAULTS.project,
      location: current?.location ?? EMPLOYEE_DEFAULTS.location,
      assignments,
      version: 1,
      sample: true,
      createdAt: `${addDays(today, -150)}T08:00:00.000Z`,
    };
  });
}
