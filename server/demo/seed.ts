import { createHash } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { EMPLOYEE_STATUSES } from '#contract/employees.ts';
import { toEuro } from '#contract/money.ts';
import type { UserId } from '#server/auth/actor.ts';
import { LOCKS } from '#server/db/locks.ts';
import { toNumeric } from '#server/db/money.ts';
import {
  employeeStatusChanges,
  employees,
  invoiceEvents,
  invoices,
  profiles,
  projectAssignments,
  projects,
  tripRequestEvents,
  tripRequests,
} from '#server/db/schema.ts';
import { type Database, readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { invoiceFilePath, removeUnreferencedFile } from '#server/features/invoices/commands.ts';
import type { Services } from '#server/services.ts';
import { drawInvoice } from './invoice-pdf.ts';
import { type DemoInvoice, type DemoProject, type DemoYear, demoYear } from './year.ts';

/** The customer that gets the demo year; see server/demo/ensure.ts. */
const DEMO_USERNAME = 'demo';

type Customer = { id: UserId; companyName: string | null; email: string };
type Context = Pick<Services, 'pool' | 'files' | 'log'>;

/** 9:00 in Rome in winter, 10:00 in summer: accurate enough for a history. */
function morning(date: CalendarDate): Date {
  return new Date(`${date}T08:00:00Z`);
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`the demo year has no item ${index}`);
  return item;
}

/** The demo customer, if it has no projects, employees or invoices. */
async function findEmptyCustomer(db: Database): Promise<Customer | null> {
  const [row] = await db
    .select({ id: profiles.id, companyName: profiles.companyName, email: profiles.email })
    .from(profiles)
    .where(
      sql`${eq(profiles.username, DEMO_USERNAME)}
        and not exists (select from projects where user_id = profiles.id)
        and not exists (select from employees where user_id = profiles.id)
        and not exists (select from invoices where user_id = profiles.id)`,
    );
  return row ?? null;
}

/**
 * An invoice number in the product's format, the same for the same invoice on the same day.
 * @param series 0, or higher when an erased demo customer's invoices already have those numbers
 */
function invoiceNumber(series: number, project: number, index: number, invoice: DemoInvoice): string {
  const code = createHash('sha256')
    .update(series === 0 ? `${project}/${index}` : `${series}/${project}/${index}`)
    .digest()
    .readBigUInt64BE()
    .toString(36)
    .toUpperCase()
    .slice(-8);
  return `FAT${morning(invoice.issueDate).getTime()}${code}`;
}

type NumberedInvoice = { number: string; path: string; fileName: string; invoice: DemoInvoice };

function number(owner: UserId, year: DemoYear, series: number): NumberedInvoice[][] {
  return year.projects.map((project, at) =>
    project.invoices.map((invoice, index) => {
      const own = invoiceNumber(series, at, index, invoice);
      return { number: own, path: invoiceFilePath(owner, own), fileName: `Fattura ${own}.pdf`, invoice };
    }),
  );
}

/**
 * Assigns numbers that no invoice has: the invoices of a customer erased on the same day are kept with their numbers.
 */
async function numberAnew(db: Database, owner: UserId, year: DemoYear): Promise<NumberedInvoice[][]> {
  for (let series = 0; ; series += 1) {
    const numbered = number(owner, year, series);
    const wanted = numbered.flat().map((each) => each.number);
    const taken = await db
      .select({ number: invoices.invoiceNumber })
      .from(invoices)
      .where(inArray(invoices.invoiceNumber, wanted))
      .limit(1);
    if (taken.length === 0) return numbered;
  }
}

async function storeFiles(
  { files }: Context,
  customer: Customer,
  project: DemoProject,
  numbered: readonly NumberedInvoice[],
): Promise<void> {
  for (const { number: own, path, invoice } of numbered) {
    const head = {
      number: own,
      customer: customer.companyName ?? customer.email,
      projectName: project.name,
      location: project.location,
    };
    const bytes = await drawInvoice(head, invoice);
    await files.put(
      path,
      (async function* whole() {
        yield bytes;
      })(),
    );
  }
}

/** Inserts all employees as free, their status before the first site, until `settleStatuses` changes it. */
async function insertEmployees(tx: Database, userId: UserId, year: DemoYear): Promise<number[]> {
  const [first] = year.projects.map(({ startDate }) => startDate).sort();
  const createdAt = first && morning(addDays(first, -1));
  const rows = await tx
    .insert(employees)
    .values(
      year.employees.map((employee) => ({ userId, ...employee, status: 'disponibile' as const, createdAt })),
    )
    .returning({ id: employees.id, name: employees.name });
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  return year.employees.map(({ name }) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error('an employee of the demo year was not stored');
    return id;
  });
}

/** Gives every employee the final status of their history. */
async function settleStatuses(tx: Database, year: DemoYear, people: readonly number[]): Promise<void> {
  for (const status of EMPLOYEE_STATUSES) {
    const ids = people.filter((_, person) => pick(year.employees, person).status === status);
    await tx.update(employees).set({ status }).where(inArray(employees.id, ids));
  }
}

async function insertProject(
  tx: Database,
  userId: UserId,
  project: DemoProject,
  numbered: readonly NumberedInvoice[],
  people: readonly number[],
  today: CalendarDate,
): Promise<void> {
  const [row] = await tx
    .insert(projects)
    .values({
      userId,
      name: project.name,
      location: project.location,
      startDate: project.startDate,
      endDate: project.endDate,
      status: project.status,
      projectedTotal: toNumeric(toEuro(project.projectedTotal)),
    })
    .returning({ id: projects.id });
  if (!row) throw new Error('a project of the demo year was not stored');
  const team = project.team.map((person) => pick(people, person));
  const yesterday = addDays(today, -1);
  const assignedAt = morning(project.startDate < yesterday ? project.startDate : yesterday);
  await tx.insert(projectAssignments).values(
    team.map((employeeId) => ({
      projectId: row.id,
      employeeId,
      userId,
      assignedAt,
    })),
  );
  const changes = project.team.flatMap((person) => {
    const change = { employeeId: pick(people, person), userId };
    const left = { ...change, status: 'in trasferta' as const, at: morning(project.startDate) };
    const returned = { ...change, status: 'Rientrato' as const, at: morning(project.endDate) };
    return [left, returned];
  });
  const past = changes.filter(({ at }) => at < morning(today));
  if (past.length > 0) await tx.insert(employeeStatusChanges).values(past);
  if (numbered.length === 0) return;
  await tx.insert(invoices).values(
    numbered.map(({ number: own, path, fileName, invoice }) => ({
      userId,
      invoiceNumber: own,
      projectId: row.id,
      projectName: project.name,
      amount: toNumeric(toEuro(invoice.amount)),
      issueDate: invoice.issueDate,
      dueDate: invoice.dueDate,
      status: invoice.status,
      fileName,
      fileUrl: path,
      description: invoice.description,
      createdAt: morning(invoice.issueDate),
      updatedAt: morning(invoice.issueDate),
    })),
  );
  await tx.insert(invoiceEvents).values(
    numbered.map(({ number: own, invoice }) => ({
      invoiceNumber: own,
      userId,
      at: morning(invoice.issueDate),
      action: 'created' as const,
      detail: { amount: toEuro(invoice.amount), projectName: project.name },
    })),
  );
}

async function insertRequests(tx: Database, customer: Customer, year: DemoYear): Promise<void> {
  for (const {
    states,
    city,
    position,
    projectName,
    reason,
    startDate,
    endDate,
    people,
    budget,
  } of year.requests) {
    const sent = pick(states, 0);
    const last = pick(states, states.length - 1);
    const [row] = await tx
      .insert(tripRequests)
      .values({
        userId: customer.id,
        state: last.state,
        city,
        position,
        projectName,
        reason,
        startDate,
        endDate,
        people,
        budget,
        accommodation: 'entrambi',
        accommodationPreference: 'nessuna preferenza',
        roomsSingle: people % 2,
        roomsDouble: Math.floor(people / 2),
        roomsSuite: 0,
        breakfast: 'necessario',
        laundry: 'preferibile',
        parking: 'necessario',
        kitchen: 'non necessario',
        priority: 'distanza',
        phone: '+39 02 0000 0000',
        email: customer.email,
        createdAt: morning(sent.on),
        updatedAt: morning(last.on),
      })
      .returning({ id: tripRequests.id });
    if (!row) throw new Error('a request of the demo year was not stored');
    await tx.insert(tripRequestEvents).values(
      states.map(({ state, on, note }) => ({
        tripRequestId: row.id,
        userId: customer.id,
        actorId: state === 'Inviata' ? customer.id : null,
        at: morning(on),
        state,
        note,
      })),
    );
  }
}

/**
 * Creates a year of records for the demo customer if it has none; otherwise this is a single query. Creates all records
 * or none; safe to run from several processes at once.
 */
export async function seedDemo(context: Context): Promise<void> {
  const db = readAs(context.pool, SYSTEM);
  const customer = await findEmptyCustomer(db);
  if (!customer) return;
  const today = todayInRome();
  const year = demoYear(today);
  const numbered = await numberAnew(db, customer.id, year);
  for (const [at, project] of year.projects.entries()) {
    await storeFiles(context, customer, project, pick(numbered, at));
  }
  const given = await transaction(context.pool, SYSTEM, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.demo})`);
    if (!(await findEmptyCustomer(tx))) return false;
    const people = await insertEmployees(tx, customer.id, year);
    // The earliest first, so that ids increase with time.
    const order = [...year.projects.entries()].sort(([, a], [, b]) => a.startDate.localeCompare(b.startDate));
    for (const [at, project] of order) {
      await insertProject(tx, customer.id, project, pick(numbered, at), people, today);
    }
    await settleStatuses(tx, year, people);
    await insertRequests(tx, customer, year);
    return true;
  });
  if (given) context.log.info('the demo customer was seeded with a year of records');
  // The account got other records meanwhile, or another process was faster; that process's files are kept.
  else for (const { path } of numbered.flat()) await removeUnreferencedFile(context, path);
}
