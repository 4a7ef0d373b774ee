import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { addDays, todayInRome } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';
import { toNumeric } from '#server/db/money.ts';
import { openPool } from '#server/db/pool.ts';
import * as schema from '#server/db/schema.ts';

/** An account that can log in. */
export type TestUser = { id: UserId; email: string; username: string; fullName: string; password: string };

type Row<Table extends { $inferSelect: unknown }> = Table['$inferSelect'];
type Values<Table extends { $inferInsert: unknown }> = Partial<Table['$inferInsert']>;

/** Creates the records a test starts from. Names and amounts are numbered, so that every run is the same. */
export type Factories = {
  /** Runs SQL as the owner of the database, for what the API does not show. */
  sql: Pool['query'];
  /** A customer, or with `role: 'admin'` an administrator. */
  user(values?: Values<typeof schema.profiles>): Promise<TestUser>;
  /** The invoice administrator: the same account each time, because there can be only one. */
  invoiceAdmin(): Promise<TestUser>;
  project(owner: TestUser, values?: Values<typeof schema.projects>): Promise<Row<typeof schema.projects>>;
  /** An employee, assigned to `project` when one is given. */
  employee(
    owner: TestUser,
    values?: Values<typeof schema.employees>,
    project?: { id: number },
  ): Promise<Row<typeof schema.employees>>;
  assign(owner: TestUser, project: { id: number }, employee: { id: number }): Promise<void>;
  /** An unpaid invoice of 1,000 euro issued today, raising the total of `project`. */
  invoice(
    owner: TestUser,
    project: { id: number; name: string },
    values?: Omit<Values<typeof schema.invoices>, 'amount'> & { euro?: number },
  ): Promise<Row<typeof schema.invoices>>;
  /** A trip request with its creation event and, in a state other than 'Inviata', with the event of the provider's answer. */
  tripRequest(
    owner: TestUser,
    values?: Values<typeof schema.tripRequests>,
  ): Promise<Row<typeof schema.tripRequests>>;
  /** A message to the provider that was given up after days of attempts. */
  undeliveredMail(values?: Values<typeof schema.mailMessages>): Promise<Row<typeof schema.mailMessages>>;
};

/** Every test account has this password; hashing it once makes accounts cheap. */
const password = 'una password di prova';
const passwordHash = hashPassword(password);

/**
 * Factories that write to the database behind `databaseUrl` as its owner. They bypass row-level security and the rules of
 * the application, but not the constraints of the tables.
 */
export function openFactories(
  databaseUrl: string,
  invoiceAdminEmail: string,
): { factories: Factories; close(): Promise<void> } {
  const pool = openPool({ connectionString: databaseUrl, max: 2 });
  const db = drizzle(pool, { casing: 'snake_case' });
  let counter = 0;
  let invoiceAdmin: Promise<TestUser> | undefined;
  const next = () => {
    counter += 1;
    return counter;
  };

  async function insert<Result>(rows: Promise<Result[]>): Promise<Result> {
    const [row] = await rows;
    if (row === undefined) {
      throw new Error('The insert returned no row');
    }
    return row;
  }

  const factories: Factories = {
    sql: pool.query.bind(pool),

    async user(values = {}) {
      const number = next();
      const profile = await insert(
        db
          .insert(schema.profiles)
          .values({
            id: randomUUID() as UserId,
            email: `cliente${number}@example.com`,
            username: `cliente${number}`,
            fullName: `Cliente ${number}`,
            companyName: `Impresa ${number} S.r.l.`,
            ...values,
          })
          .returning(),
      );
      await db.insert(schema.accounts).values({
        id: randomUUID(),
        userId: profile.id,
        accountId: profile.id,
        providerId: 'credential',
        password: await passwordHash,
      });
      const { id, email, username, fullName } = profile;
      return { id, email, username, fullName, password };
    },

    invoiceAdmin() {
      invoiceAdmin ??= factories.user({
        email: invoiceAdminEmail,
        username: 'ufficio.fatture',
        fullName: 'Ufficio Fatture',
        role: 'admin',
        emailVerified: true,
      });
      return invoiceAdmin;
    },

    project(owner, values = {}) {
      const startDate = values.startDate ?? todayInRome();
      return insert(
        db
          .insert(schema.projects)
          .values({
            userId: owner.id,
            name: `Cantiere ${next()}`,
            location: 'Ravenna',
            startDate,
            endDate: addDays(startDate, 30),
            projectedTotal: toNumeric(50_000),
            ...values,
          })
          .returning(),
      );
    },

    async employee(owner, values = {}, project) {
      const employee = await insert(
        db
          .insert(schema.employees)
          .values({
            userId: owner.id,
            name: `Operaio ${next()}`,
            role: 'Tecnico',
            status: 'in trasferta',
            ...values,
          })
          .returning(),
      );
      if (project) await factories.assign(owner, project, employee);
      return employee;
    },

    async assign(owner, project, employee) {
      await db
        .insert(schema.projectAssignments)
        .values({ projectId: project.id, employeeId: employee.id, userId: owner.id });
    },

    invoice(owner, project, { euro = 1000, ...values } = {}) {
      const number = next();
      return insert(
        db
          .insert(schema.invoices)
          .values({
            userId: owner.id,
            invoiceNumber: `FAT${String(1_700_000_000_000 + number)}${String(number).padStart(8, 'A')}`,
            projectId: project.id,
            projectName: project.name,
            amount: toNumeric(euro),
            issueDate: todayInRome(),
            ...values,
          })
          .returning(),
      );
    },

    async tripRequest(owner, values = {}) {
      const startDate = values.startDate ?? addDays(todayInRome(), 21);
      const request = await insert(
        db
          .insert(schema.tripRequests)
          .values({
            userId: owner.id,
            city: 'Taranto',
            position: 'Via Appia km 648, ingresso B',
            startDate,
            endDate: addDays(startDate, 14),
            projectName: `Fermata ${next()}`,
            reason: 'Manutenzione programmata',
            people: 12,
            accommodation: 'hotel',
            roomsSingle: 2,
            roomsDouble: 5,
            roomsSuite: 0,
            breakfast: 'necessario',
            laundry: 'preferibile',
            parking: 'necessario',
            kitchen: 'non necessario',
            budget: 85,
            priority: 'costo',
            phone: '+39 02 1234567',
            email: owner.email,
            ...values,
          })
          .returning(),
      );
      const event = { tripRequestId: request.id, userId: owner.id };
      await db
        .insert(schema.tripRequestEvents)
        .values({ ...event, actorId: owner.id, state: 'Inviata', at: request.createdAt });
      if (request.state !== 'Inviata') {
        await db
          .insert(schema.tripRequestEvents)
          .values({ ...event, state: request.state, note: 'Ti aggiorniamo appena abbiamo novità.' });
      }
      return request;
    },

    undeliveredMail(values = {}) {
      const recipients = ['operazioni@example.com'];
      return insert(
        db
          .insert(schema.mailMessages)
          .values({
            kind: 'trip_request',
            messageId: randomUUID(),
            recipients,
            pendingRecipients: recipients,
            fromName: `Impresa ${next()} S.r.l.`,
            subject: 'Nuova Richiesta Trasferta - Taranto (Fermata)',
            bodyText: 'Una richiesta di prova.\n',
            state: 'failed',
            attempts: 101,
            lastError: 'Il server di posta non risponde',
            lastErrorDetails: 'connect ECONNREFUSED 192.0.2.1:25',
            ...values,
          })
          .returning(),
      );
    },
  };

  return { factories, close: () => pool.end() };
}
