import { addDays, type CalendarDate, calendarDateSchema } from './dates.ts';
import { currentAssignment, type Employee, sampleEmployees } from './employees.ts';
import { HORIZON_DAYS } from './horizon.ts';
import { type Invoice, isOverdue, sampleInvoices, subtotalSchema, subtotalsOf } from './invoices.ts';
import { euroSchema, sumOfEuro } from './money.ts';
import { type Project, sampleProjects } from './projects.ts';
import { WAITING_STATES } from './trip-requests.ts';
import { z } from './validation.ts';

/** How many entries each list of Home shows; the counts beside them cover all entries. */
export const DASHBOARD_LIMITS = {
  names: 6,
  groups: 8,
  milestones: 8,
  invoices: 5,
  requests: 4,
  projects: 6,
} as const;

/** People away at one location, or without any project. */
export const awayGroupSchema = z.object({
  projectId: z.int().nullable(),
  projectName: z.string().nullable(),
  location: z.string().nullable(),
  /** First and last day of the project, which may be in the future or the past. */
  from: calendarDateSchema.nullable(),
  until: calendarDateSchema.nullable(),
  people: z.int(),
  /** The first names in alphabetical order, at most `DASHBOARD_LIMITS.names`. */
  names: z.array(z.string()),
});
export type AwayGroup = z.infer<typeof awayGroupSchema>;

/** A project that starts or ends within `HORIZON_DAYS`, today included. */
export const milestoneSchema = z.object({
  projectId: z.int(),
  projectName: z.string(),
  location: z.string(),
  event: z.enum(['start', 'end']),
  date: calendarDateSchema,
  people: z.int(),
});
export type Milestone = z.infer<typeof milestoneSchema>;

/** An unpaid invoice that is overdue or due within `HORIZON_DAYS`. */
export const dueInvoiceSchema = z.object({
  number: z.string(),
  projectName: z.string(),
  amount: euroSchema,
  dueDate: calendarDateSchema,
  overdue: z.boolean(),
});
export type DueInvoice = z.infer<typeof dueInvoiceSchema>;

/** A trip request that waits for the provider or the customer. */
export const waitingRequestSchema = z.object({
  id: z.int(),
  city: z.string(),
  projectName: z.string(),
  startDate: calendarDateSchema,
  people: z.int(),
  state: z.enum(WAITING_STATES),
});
export type WaitingRequest = z.infer<typeof waitingRequestSchema>;

/** Amounts of the invoices issued in a month. */
export const monthSpendSchema = z.object({ month: z.string().regex(/^\d{4}-\d{2}$/), amount: euroSchema });
export type MonthSpend = z.infer<typeof monthSpendSchema>;

/** Projected and actual cost of a project. */
export const projectBudgetSchema = z.object({
  projectId: z.int(),
  projectName: z.string(),
  projected: euroSchema,
  spent: euroSchema,
});
export type ProjectBudget = z.infer<typeof projectBudgetSchema>;

/** All projects 'In corso' compared with their projections. */
export const projectionsSchema = z.object({
  /** How many have a projection or spending. */
  projects: z.int(),
  /** How many have a projection. */
  planned: z.int(),
  /** How many have exceeded their projection. */
  over: z.int(),
});
export type Projections = z.infer<typeof projectionsSchema>;

/** What waits for the provider: trip requests by state, and messages that were not delivered. */
export const toManageSchema = z.object({ sent: z.int(), inProgress: z.int(), undelivered: z.int() });
export type ToManage = z.infer<typeof toManageSchema>;

/** Everything Home shows (spec §2, Home dashboard), as of `today` in Europe/Rome. Invoices issued later do not count. */
export const dashboardSchema = z.object({
  today: calendarDateSchema,
  /** Record kinds of which the account has none, so that the sample records are counted instead. */
  samples: z.object({ projects: z.boolean(), employees: z.boolean(), invoices: z.boolean() }),
  activeProjects: z.int(),
  travelling: z.int(),
  spent: z.object({ total: euroSchema, paid: euroSchema, unpaid: euroSchema }),
  unpaid: subtotalSchema,
  overdue: subtotalSchema,
  /** Locations with most people first, people without a project last. */
  away: z.array(awayGroupSchema),
  milestones: z.array(milestoneSchema),
  /** Counts all starts and ends within `HORIZON_DAYS`. */
  milestonesTotal: z.int(),
  /** Earliest first. `dueSoon` counts all of them. */
  due: z.array(dueInvoiceSchema),
  dueSoon: z.int(),
  requests: z.object({ waiting: z.int(), items: z.array(waitingRequestSchema) }),
  /** The twelve months up to the current one, oldest first. */
  months: z.array(monthSpendSchema),
  /** Projects 'In corso' with a projection or spending, most expensive first. */
  budgets: z.array(projectBudgetSchema),
  projections: projectionsSchema,
  /** Null for everybody but administrators. */
  toManage: toManageSchema.nullable(),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

function awayOf(employees: readonly Employee[], today: CalendarDate): AwayGroup[] {
  const travelling = employees.filter(({ status }) => status === 'in trasferta');
  const places = Map.groupBy(
    travelling,
    ({ assignments }) => currentAssignment(assignments, today)?.projectId ?? null,
  );
  return [...places].map(([projectId, people]) => {
    const place = people[0] && currentAssignment(people[0].assignments, today);
    return {
      projectId,
      projectName: place?.projectName ?? null,
      location: place?.location ?? null,
      from: place?.startDate ?? null,
      until: place?.endDate ?? null,
      people: people.length,
      names: people
        .map(({ name }) => name)
        .sort()
        .slice(0, DASHBOARD_LIMITS.names),
    };
  });
}

function figuresOfProjects(projects: readonly Project[], today: CalendarDate) {
  const open = projects.filter(({ status }) => status === 'In corso');
  const horizon = addDays(today, HORIZON_DAYS);
  const milestones = open.flatMap((project): Milestone[] =>
    (['start', 'end'] as const)
      .map((event) => ({
        projectId: project.id,
        projectName: project.name,
        location: project.location,
        event,
        date: event === 'start' ? project.startDate : project.endDate,
        people: project.teamSize,
      }))
      .filter(({ date }) => date >= today && date <= horizon),
  );
  const planned = open.filter(({ projectedTotal }) => projectedTotal > 0);
  return {
    activeProjects: open.length,
    milestones,
    milestonesTotal: milestones.length,
    projections: {
      projects: open.length,
      planned: planned.length,
      over: planned.filter(({ projectedTotal, spentToDate }) => spentToDate > projectedTotal).length,
    },
    budgets: open.map(({ id, name, projectedTotal, spentToDate }) => ({
      projectId: id,
      projectName: name,
      projected: projectedTotal,
      spent: spentToDate,
    })),
  };
}

function figuresOfInvoices(invoices: readonly Invoice[], today: CalendarDate, months: readonly MonthSpend[]) {
  const unpaid = invoices.filter(({ status }) => status === 'Da Pagare');
  const horizon = addDays(today, HORIZON_DAYS);
  const due = unpaid.flatMap((invoice): DueInvoice[] => {
    const { number, projectName, amount, dueDate } = invoice;
    if (dueDate === null || dueDate > horizon) return [];
    return [{ number, projectName, amount, dueDate, overdue: isOverdue(invoice, today) }];
  });
  const sums = subtotalsOf(invoices, today);
  return {
    spent: { total: sums.total.amount, paid: sums.paid.amount, unpaid: sums.unpaid.amount },
    unpaid: sums.unpaid,
    overdue: sums.overdue,
    due,
    dueSoon: due.length,
    months: months.map(({ month }) => ({
      month,
      amount: sumOfEuro(invoices.filter(({ issueDate }) => issueDate.startsWith(month))),
    })),
  };
}

/** Home of an account without records of some kind: counts the sample records shown elsewhere (spec §3). */
export function withSamples(dashboard: Dashboard): Dashboard {
  const { today, samples, months } = dashboard;
  const employees = samples.employees ? sampleEmployees(today) : null;
  return {
    ...dashboard,
    ...(samples.projects && figuresOfProjects(sampleProjects(today), today)),
    ...(employees && {
      travelling: employees.filter(({ status }) => status === 'in trasferta').length,
      away: awayOf(employees, today),
    }),
    ...(samples.invoices && figuresOfInvoices(sampleInvoices(today), today, months)),
  };
}
