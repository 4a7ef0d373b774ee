import {
  addDays,
  type CalendarDate,
  calendarDateSchema,
  datesInOrder,
  daysBetween,
  instantSchema,
  todayInRome,
} from './dates.ts';
import {
  datesOverlap,
  EMPLOYEE_STATUSES,
  keyedMemberSchema,
  newMemberSchema,
  SAMPLE_PROJECT_PLACES,
  sampleEmployees,
  samplePeriods,
} from './employees.ts';
import { figure } from './figures.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { budgetSchema, euroSchema } from './money.ts';
import { requiredLine, z } from './validation.ts';

/** States of a project (spec §4). */
export const PROJECT_STATUSES = ['In corso', 'Completato'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** Maximum lengths of a project's texts, and its maximum team size. */
export const PROJECT_LIMITS = { name: 120, location: 120, team: 2_000, newMembers: 200 } as const;

/** Texts of screens and toasts about projects (spec §2, §5, §8). */
export const PROJECT_TEXTS = {
  nameMissing: 'Il nome del progetto è obbligatorio',
  locationMissing: 'La località è obbligatoria',
  bothRequired: { title: 'Errore', message: 'Nome progetto e località sono campi obbligatori.' },
  teamTooLarge: `Al massimo ${figure(PROJECT_LIMITS.team)} persone`,
  tooManyNew: `Al massimo ${PROJECT_LIMITS.newMembers} nuovi dipendenti alla volta`,
  endBeforeStart: 'La data di fine non può precedere la data di inizio',
  createdToast: { title: 'Progetto creato', message: 'Il nuovo progetto è stato creato con successo.' },
  createFailedToast: {
    title: 'Errore',
    message: 'Si è verificato un errore durante la creazione del progetto.',
  },
  created: 'Progetto creato con successo!',
  createdWithoutData: 'Nessun dato ritornato dalla creazione del progetto',
  deleted: 'Progetto eliminato con successo!',
  loading: 'Caricamento dati personali...',
  loadFailed: 'Errore nel caricamento dei dati',
  loadHint: 'Controlla che la connessione funzioni e di aver effettuato l’accesso, poi riprova.',
} as const;

/** Failure texts of actions on projects (spec §8); `refused` ends with the reason. */
export const PROJECT_FAILURES = {
  create: {
    unauthenticated: 'Devi essere autenticato per creare un progetto',
    refused: (reason: string) => `Errore nella creazione del progetto: ${reason}`,
    literal: 'project_owner_mismatch',
    failed: 'Errore durante la creazione del progetto',
  },
  delete: {
    unauthenticated: 'Devi essere autenticato per eliminare un progetto',
    refused: (reason: string) => `Errore nell'eliminazione del progetto: ${reason}`,
    failed: "Errore durante l'eliminazione del progetto",
  },
} as const;

/**
 * How much of a project's time has passed on `today`, 0 to 100 (spec §4): 0 before the start, 100 from the end on,
 * otherwise the rounded share of elapsed days.
 */
export function projectProgress(startDate: CalendarDate, endDate: CalendarDate, today: CalendarDate): number {
  if (today < startDate) return 0;
  if (today >= endDate) return 100;
  return Math.round((daysBetween(startDate, today) / daysBetween(startDate, endDate)) * 100);
}

/** A member of a project's team. */
export const teamMemberSchema = z.object({
  id: z.int(),
  name: z.string(),
  role: z.string(),
  status: z.enum(EMPLOYEE_STATUSES),
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

/** A project (spec §3). `teamSize` and `progress` are computed on each read. */
export const projectSchema = z.object({
  id: z.int(),
  name: z.string(),
  location: z.string(),
  startDate: calendarDateSchema,
  endDate: calendarDateSchema,
  status: z.enum(PROJECT_STATUSES),
  progress: z.int().min(0).max(100),
  teamSize: z.int(),
  /** Ordered by name. */
  team: z.array(teamMemberSchema),
  projectedTotal: euroSchema,
  /** What had been spent before the first invoice. */
  openingSpent: euroSchema,
  /** `openingSpent` and the amounts of the project's invoices. */
  spentToDate: euroSchema,
  /**
   * Incremented by each edit, which sends the version it started from. Status changes do not count, because edits never
   * write the status.
   */
  version: z.int(),
  /** Whether it is a sample record: read-only. */
  sample: z.boolean(),
  createdAt: instantSchema,
});
export type Project = z.infer<typeof projectSchema>;

const sum = budgetSchema.nullish().transform((euro) => euro ?? 0);

/** The default end of a project that starts on `startDate`: today in Europe/Rome, but never before its start. */
export function defaultEndDate(startDate: CalendarDate): CalendarDate {
  const today = todayInRome();
  return startDate > today ? startDate : today;
}

function newMembers<Member extends typeof newMemberSchema>(member: Member) {
  return z.array(member).max(PROJECT_LIMITS.newMembers, PROJECT_TEXTS.tooManyNew).default([]);
}

const fields = {
  name: requiredLine(PROJECT_TEXTS.nameMissing, PROJECT_LIMITS.name),
  location: requiredLine(PROJECT_TEXTS.locationMissing, PROJECT_LIMITS.location),
  /** Empty means today in Europe/Rome. */
  startDate: calendarDateSchema.nullish().transform((date) => date ?? todayInRome()),
  /** Empty means `defaultEndDate`. */
  endDate: calendarDateSchema.nullish(),
  projectedTotal: sum,
  /** Existing employees; duplicates count once. */
  employeeIds: z.array(z.int()).max(PROJECT_LIMITS.team, PROJECT_TEXTS.teamTooLarge).default([]),
  /** Those without name, surname or role are ignored (spec §5). */
  newEmployees: newMembers(newMemberSchema),
};

/** Fills in the default end. */
function withEnd<Input extends { startDate: CalendarDate; endDate?: CalendarDate | null | undefined }>(
  input: Input,
) {
  return { ...input, endDate: input.endDate ?? defaultEndDate(input.startDate) };
}

/** Before `withEnd`, which waits until all else is right: the end that it gives is never before the start. */
const inOrder = datesInOrder('startDate', 'endDate', PROJECT_TEXTS.endBeforeStart);

const newProject = z.strictObject({
  ...fields,
  /** Spent so far, before the first invoice. */
  spentToDate: sum,
  /** The account the form was filled in under; the project is refused in another account's session. */
  userId: z.string().max(100).optional(),
});

/** A new project (spec §5, Create project). */
export const projectInputSchema = newProject.check(inOrder).transform(withEnd);

/**
 * A new project as the server reads it, whose end may be before its start: if it was sent before midnight without a
 * start and is sent again, its end may be before today. The server compares them only if it does not have it yet.
 */
export const sentProjectSchema = newProject.transform(withEnd);
export type ProjectInput = z.input<typeof projectInputSchema>;

/** An edited project, in full and with its team, with the version the edit started from. */
export const projectChangeSchema = z
  .strictObject({
    ...fields,
    newEmployees: newMembers(keyedMemberSchema),
    openingSpent: sum,
    version: z.int().min(1),
  })
  .check(inOrder)
  .transform(withEnd);
export type ProjectChange = z.input<typeof projectChangeSchema>;

/** A project closed or reopened. */
export const projectStatusSchema = z.strictObject({ status: z.enum(PROJECT_STATUSES) });

export const PROJECT_SORTS = [
  'createdAt',
  'name',
  'location',
  'startDate',
  'endDate',
  'nextEnd',
  'teamSize',
  'projectedTotal',
  'spentToDate',
  'status',
] as const;

/** Query of the list of projects. */
export const projectListQuerySchema = listQuerySchema.extend({
  status: z.enum(PROJECT_STATUSES).optional(),
  sort: z.enum(PROJECT_SORTS).default('createdAt'),
  direction: z.enum(['asc', 'desc']).default('desc'),
});
export type ProjectListQuery = z.output<typeof projectListQuerySchema>;
export const projectListSchema = listSchema(projectSchema);

/** Where the people of projects 'In corso' are (spec §2, Team tab). Somebody on two projects counts once. */
export const teamStatsSchema = z.object({
  /** Whether these are the sample records, shown while there are neither projects nor employees. */
  sample: z.boolean(),
  activeProjects: z.int(),
  people: z.int(),
  /** People by status. */
  travelling: z.int(),
  returned: z.int(),
  available: z.int(),
  /** Employees on no project 'In corso'. */
  unassigned: z.int(),
  /** Each project 'In corso' with its team size, the largest first. */
  distribution: z.array(
    z.object({
      projectId: z.int(),
      name: z.string(),
      location: z.string(),
      /** Like the end, absent in answers of an older release. */
      startDate: calendarDateSchema.optional(),
      endDate: calendarDateSchema.optional(),
      people: z.int(),
    }),
  ),
});
export type TeamStats = z.infer<typeof teamStatsSchema>;

/** The longest time a timeline shows. */
const MAX_TIMELINE_DAYS = 731;

/** Query of the timeline; both days are inclusive. */
export const timelineQuerySchema = z
  .strictObject({ from: calendarDateSchema, to: calendarDateSchema })
  .check(datesInOrder('from', 'to', PROJECT_TEXTS.endBeforeStart))
  .refine(({ from, to }) => daysBetween(from, to) <= MAX_TIMELINE_DAYS, {
    path: ['to'],
    error: 'Scegli un periodo di al massimo due anni.',
  });

/** Who is where and when: projects that overlap the period, and every employee with the projects they are on. */
export const timelineSchema = z.object({
  /** Whether these are the sample records, shown while there are neither projects nor employees. */
  sample: z.boolean(),
  projects: z.array(
    projectSchema
      .pick({ id: true, name: true, location: true, startDate: true, endDate: true, status: true })
      .extend({ people: z.int() }),
  ),
  people: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      role: z.string(),
      status: z.enum(EMPLOYEE_STATUSES),
      /** Ordered by start date. */
      projectIds: z.array(z.int()),
      /** The last day of their projects before the period, and the first of those after it; null for none. */
      lastEnd: calendarDateSchema.nullish(),
      nextStart: calendarDateSchema.nullish(),
      /** Ranges of days in the period, up to today, with status 'in trasferta'; first and last day of each. */
      away: z.array(z.object({ startDate: calendarDateSchema, endDate: calendarDateSchema })),
    }),
  ),
});
export type Timeline = z.infer<typeof timelineSchema>;

/** Whether `id` belongs to a sample project, which cannot be changed (architecture: the exact ids). */
export function isSampleProject(id: number): boolean {
  return Object.values(SAMPLE_PROJECT_PLACES).some((place) => place.id === id);
}

/** The two sample projects (spec §3), shown while a user has none. */
export function sampleProjects(today: CalendarDate = todayInRome()): Project[] {
  const people = sampleEmployees(today);
  const periods = samplePeriods(today);
  const sample = (
    which: keyof typeof SAMPLE_PROJECT_PLACES,
    values: Pick<Project, 'status' | 'projectedTotal' | 'openingSpent' | 'spentToDate'>,
  ): Project => {
    const { id, name, location } = SAMPLE_PROJECT_PLACES[which];
    const { startDate, endDate } = periods[which];
    const team = people
      .filter(({ assignments }) => assignments.some(({ projectId }) => projectId === id))
      .map((person) => teamMemberSchema.parse(person));
    return {
      id,
      name,
      location,
      startDate,
      endDate,
      progress: projectProgress(startDate, endDate, today),
      teamSize: team.length,
      team,
      version: 1,
      sample: true,
      createdAt: `${addDays(today, -150)}T08:00:00.000Z`,
      ...values,
    };
  };
  return [
    sample('running', { status: 'In corso', projectedTotal: 48_000, openingSpent: 0, spentToDate: 18_450.5 }),
    sample('done', { status: 'Completato', projectedTotal: 32_000, openingSpent: 0, spentToDate: 30_120 }),
  ];
}

/** Statistics of the sample projects and employees. */
export function sampleTeamStats(today: CalendarDate = todayInRome()): TeamStats {
  const open = sampleProjects(today).filter(({ status }) => status === 'In corso');
  const people = open.flatMap(({ team }) => team);
  const count = (status: TeamMember['status']) => people.filter((person) => person.status === status).length;
  return {
    sample: true,
    activeProjects: open.length,
    people: people.length,
    travelling: count('in trasferta'),
    returned: count('Rientrato'),
    available: count('disponibile'),
    unassigned: sampleEmployees(today).length - people.length,
    distribution: open.map(({ id, name, location, startDate, endDate, teamSize }) => ({
      projectId: id,
      name,
      location,
      startDate,
      endDate,
      people: teamSize,
    })),
  };
}

/** The timeline of the sample records in a period. */
export function sampleTimeline(from: CalendarDate, to: CalendarDate, today: CalendarDate): Timeline {
  const projects = sampleProjects(today).filter((project) =>
    datesOverlap(project, { startDate: from, endDate: to }),
  );
  const shown = new Set(projects.map(({ id }) => id));
  return {
    sample: true,
    projects: projects.map(({ id, name, location, startDate, endDate, status, teamSize }) => ({
      id,
      name,
      location,
      startDate,
      endDate,
      status,
      people: teamSize,
    })),
    people: sampleEmployees(today).map(({ id, name, role, status, assignments }) => ({
      id,
      name,
      role,
      status,
      projectIds: assignments
        .map(({ projectId }) => projectId)
        .filter((projectId) => shown.has(projectId))
        .reverse(),
      lastEnd: assignments
        .map(({ endDate }) => endDate)
        .filter((date) => date < from)
        .sort()
        .at(-1),
      nextStart: assignments
        .map(({ startDate }) => startDate)
        .filter((date) => date > to)
        .sort()[0],
      away: assignments
        .map(({ startDate, endDate }) => ({
          startDate: startDate < from ? from : startDate,
          endDate: [endDate, to, today].reduce((first, date) => (date < first ? date : first)),
        }))
        .filter((period) => period.startDate <= period.endDate)
        .reverse(),
    })),
  };
}
