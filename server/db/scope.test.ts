import { count, eq, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { describe, expect } from 'vitest';
import { calendarDateSchema } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';
import { test } from '#server/testing/test.ts';
import { openPool } from './pool.ts';
import { auditEvents, employees, invoices, profiles, projects, tripRequests } from './schema.ts';
import { readAs, type Scope, SYSTEM, transaction, VISITOR } from './scope.ts';
import { containsFolded, plannedOnce } from './search.ts';

const as = (user: { id: UserId }, role: Scope['role'] = 'user'): Scope => ({ userId: user.id, role });
const day = calendarDateSchema.parse('2026-03-02');

describe('row-level security, when a query does not filter by owner', () => {
  test('shows customers their own rows and visitors none', async ({ server }) => {
    const { pool } = server.services;
    const [mine, other] = [await server.make.user(), await server.make.user()];
    for (const owner of [mine, other]) {
      const project = await server.make.project(owner);
      await server.make.employee(owner, {}, project);
      await server.make.invoice(owner, project);
      await server.make.tripRequest(owner);
    }
    for (const table of [projects, employees, invoices, tripRequests]) {
      const rows = await readAs(pool, as(mine)).select({ userId: table.userId }).from(table);
      expect(rows).toEqual([{ userId: mine.id }]);
      expect(await readAs(pool, VISITOR).select({ n: count() }).from(table)).toEqual([{ n: 0 }]);
    }
    const seen = await readAs(pool, as(mine)).select({ id: profiles.id }).from(profiles);
    expect(seen).toEqual([{ id: mine.id }]);
  });

  test('shows the invoice administrator invoices and projects, but no employees or requests', async ({
    server,
  }) => {
    const admin = await server.make.invoiceAdmin();
    const owner = await server.make.user();
    const project = await server.make.project(owner);
    await server.make.employee(owner, {}, project);
    await server.make.invoice(owner, project);
    await server.make.tripRequest(owner);
    const db = readAs(server.services.pool, as(admin, 'invoice_admin'));
    const seen = async (table: typeof projects | typeof employees | typeof invoices | typeof tripRequests) =>
      (await db.select({ id: table.id }).from(table).where(eq(table.userId, owner.id))).length;
    expect([
      await seen(invoices),
      await seen(projects),
      await seen(employees),
      await seen(tripRequests),
    ]).toEqual([1, 1, 0, 0]);
  });

  test('refuses inserts for another customer and ignores updates and deletes of their rows', async ({
    server,
  }) => {
    const { pool } = server.services;
    const [mine, other] = [await server.make.user(), await server.make.user()];
    const theirs = await server.make.project(other, { name: 'Cantiere altrui' });
    const insert = transaction(pool, as(mine), (tx) =>
      tx
        .insert(projects)
        .values({ userId: other.id, name: 'X', location: 'Y', startDate: day, endDate: day }),
    );
    await expect(insert).rejects.toMatchObject({ cause: { code: '42501' } });
    await transaction(pool, as(mine), async (tx) => {
      await tx.update(projects).set({ name: 'Preso' }).where(eq(projects.id, theirs.id));
      await tx.delete(projects).where(eq(projects.id, theirs.id));
    });
    const [row] = await readAs(pool, SYSTEM).select().from(projects).where(eq(projects.id, theirs.id));
    expect(row?.name).toBe('Cantiere altrui');
  });

  test('lets no customer create or change an invoice, even their own', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    const project = await server.make.project(user);
    const { id, invoiceNumber } = await server.make.invoice(user, project, { euro: 10 });
    const copy = { userId: user.id, projectId: project.id, projectName: project.name, amount: '1.00' };
    const insert = transaction(pool, as(user), (tx) =>
      tx
        .insert(invoices)
        .values({ ...copy, invoiceNumber: `${invoiceNumber.slice(0, -1)}Z`, issueDate: day }),
    );
    await expect(insert).rejects.toMatchObject({ cause: { code: '42501' } });
    await transaction(pool, as(user), (tx) => tx.update(invoices).set({ amount: '1.00' }));
    const [row] = await readAs(pool, SYSTEM).select().from(invoices).where(eq(invoices.id, id));
    expect(row).toMatchObject({ amount: '10.00', status: 'Da Pagare' });
  });

  test('lets no account change its own rights or identity, not even an administrator', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    const admin = await server.make.user({ role: 'admin' });
    const before = await readAs(pool, SYSTEM).select().from(profiles).where(eq(profiles.id, user.id));
    const changes = [
      { role: 'admin' },
      { banned: false },
      { emailVerified: true },
      { twoFactorEnabled: false },
      { deletedAt: null },
      { email: 'altra@example.com' },
      { username: 'altro' },
    ] as const;
    for (const change of changes) {
      for (const scope of [as(user), as(admin, 'admin')]) {
        const work = transaction(pool, scope, (tx) =>
          tx.update(profiles).set(change).where(eq(profiles.id, user.id)),
        );
        await expect(work).rejects.toMatchObject({ cause: { code: '42501' } });
      }
    }
    const after = await readAs(pool, SYSTEM).select().from(profiles).where(eq(profiles.id, user.id));
    expect(after).toEqual(before);
    await transaction(pool, as(user), (tx) =>
      tx.update(profiles).set({ fullName: 'Ada Neri' }).where(eq(profiles.id, user.id)),
    );
  });

  test('denies the application role passwords and sessions', async ({ server }) => {
    for (const table of ['accounts', 'sessions', 'verifications', 'two_factors']) {
      await expect(server.services.pool.query(`select * from ${table}`)).rejects.toMatchObject({
        code: '42501',
      });
    }
  });

  test('lets no account end the sessions of another or erase its credentials', async ({ server }) => {
    const { pool } = server.services;
    const admin = await server.make.user({ role: 'admin' });
    const { id } = await server.make.user();
    for (const erasure of [sql`select end_sessions(${id})`, sql`select erase_credentials(${id})`]) {
      const work = transaction(pool, as(admin, 'admin'), (tx) => tx.execute(erasure));
      await expect(work).rejects.toMatchObject({ cause: { code: '42501' } });
    }
  });
});

describe('a server connection', () => {
  test('gains no rights by resetting its role', async ({ server }) => {
    const { env, pool } = server.services;
    await server.make.project(await server.make.user());
    const owner = new URL(env.databaseUrl ?? '').username;
    const client = await pool.connect();
    const refused = { code: '42501' };
    await client.query("select set_config('role', 'none', false)");
    const { rows } = await client.query('select session_user as login, current_user as current');
    expect(rows[0].current).toBe(rows[0].login);
    expect(rows[0].login).not.toBe(owner);
    for (const table of ['accounts', 'sessions', 'verifications', 'two_factors'])
      await expect(client.query(`select * from ${table}`)).rejects.toMatchObject(refused);
    expect((await client.query('select * from projects')).rowCount).toBe(0);
    for (const role of [owner, 'trasvia_auth'])
      await expect(client.query(`set role ${role}`)).rejects.toMatchObject(refused);
    await expect(client.query('alter table projects disable row level security')).rejects.toMatchObject(
      refused,
    );
    client.release(true);
  });
});

describe('security events', () => {
  test('can be added but not changed or removed, even by an administrator', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user({ role: 'admin' });
    const { id } = user;
    const admin = as(user, 'admin');
    await transaction(pool, admin, async (tx) => {
      await tx.insert(auditEvents).values({ action: 'login', actorId: id, subjectId: id });
    });
    const forged = transaction(pool, admin, (tx) => tx.update(auditEvents).set({ action: 'logout' }));
    await expect(forged).rejects.toMatchObject({ cause: { code: '42501' } });
    await transaction(pool, admin, (tx) => tx.delete(auditEvents));
    const left = await readAs(pool, SYSTEM).select().from(auditEvents).where(eq(auditEvents.subjectId, id));
    expect(left).toMatchObject([{ action: 'login' }]);
  });
});

describe('a scoped read', () => {
  test('leaves no user id and no role set on its connection', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    await readAs(pool, as(user)).select().from(projects);
    const left = await pool.query(
      "select current_setting('app.user_id', true) as u, current_setting('app.role', true) as r",
    );
    expect(left.rows).toEqual([{ u: '', r: '' }]);
  });

  test('sets the scope before it reads, where reading first would cost less', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    const project = await server.make.project(user);
    const { id } = await server.make.invoice(user, project);
    const asked: { text: string; values: unknown[] }[] = [];
    const recorder = {
      query(statement: { text: string; values: unknown[] }) {
        asked.push(statement);
        return pool.query(statement);
      },
    };
    // Fewer rows than either table has: it would cost less to join the scope to those.
    const billed = readAs(recorder as unknown as Pool, as(user))
      .select({ id: invoices.id })
      .from(projects)
      .innerJoin(invoices, eq(invoices.projectId, projects.id));
    expect(await billed).toEqual([{ id }]);
    const { rows } = await pool.query(`explain ${asked[0]?.text}`, asked[0]?.values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // The read takes its condition from the scope: in no plan can it come first.
    expect(plan).toContain('One-Time Filter: ((scope.u IS NOT NULL) AND (scope.r IS NOT NULL))');
  });

  test('reuses a cached plan for another user without showing them foreign rows', async ({ server }) => {
    const [mine, other] = [await server.make.user(), await server.make.user()];
    for (const owner of [mine, other]) await server.make.project(owner);
    const { databaseUrl } = server.services.env;
    const pool = openPool({ connectionString: databaseUrl ?? '', options: '-c role=trasvia_app', max: 1 });
    const seen = async (scope: Scope) =>
      (await readAs(pool, scope).select({ userId: projects.userId }).from(projects)).map(
        ({ userId }) => userId,
      );
    // PostgreSQL plans the first five executions for their values before it considers a generic plan.
    for (let turn = 0; turn < 8; turn += 1) {
      expect([await seen(as(mine)), await seen(as(other)), await seen(VISITOR)]).toEqual([
        [mine.id],
        [other.id],
        [],
      ]);
    }
    const { rows } = await pool.query(
      `select generic_plans > 0 as kept from pg_prepared_statements where statement like '%from "projects"%'`,
    );
    expect(rows).toEqual([{ kept: true }]);
    await pool.end();
  });

  test.for([
    ['with a search pattern is planned each time', sql`name like ${containsFolded('turbo')}`, 0],
    ['with a pattern that always uses the index is planned once', plannedOnce(sql`name`, 'turbo'), 1],
    ['with one such word among others is planned once', plannedOnce(sql`name`, 'di turbo _%'), 1],
    ['with a text the index cannot serve is planned each time', plannedOnce(sql`name`, '_% di'), 0],
  ] as const)('%s', async ([, condition, kept], { server }) => {
    const { databaseUrl } = server.services.env;
    const pool = openPool({ connectionString: databaseUrl ?? '', options: '-c role=trasvia_app', max: 1 });
    await readAs(pool, VISITOR).select().from(projects).where(condition);
    const { rows } = await pool.query('select count(*)::int as kept from pg_prepared_statements');
    expect(rows).toEqual([{ kept }]);
    await pool.end();
  });

  test('keeps at most two hundred plans on a connection', async ({ server }) => {
    const { databaseUrl } = server.services.env;
    const pool = openPool({ connectionString: databaseUrl ?? '', options: '-c role=trasvia_app', max: 1 });
    for (let number = 0; number < 205; number += 1)
      await readAs(pool, VISITOR).execute(sql.raw(`select ${number} as number`));
    const { rows } = await pool.query('select count(*)::int as kept from pg_prepared_statements');
    expect(rows).toEqual([{ kept: 200 }]);
    await pool.end();
  });

  test('refuses anything but SELECT', async ({ server }) => {
    const user = await server.make.user();
    const db = readAs(server.services.pool, as(user));
    await expect(db.delete(projects)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('SELECT only') },
    });
  });

  test('keeps the order of the wrapped query', async ({ server }) => {
    const user = await server.make.user();
    for (const name of ['B', 'C', 'A']) await server.make.project(user, { name });
    const rows = await readAs(server.services.pool, as(user))
      .select({ name: projects.name })
      .from(projects)
      .orderBy(projects.name);
    expect(rows.map((row) => row.name)).toEqual(['A', 'B', 'C']);
  });
});

describe('a transaction', () => {
  test('that throws is rolled back', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    const failing = transaction(pool, as(user), async (tx) => {
      await tx
        .insert(projects)
        .values({ userId: user.id, name: 'A', location: 'B', startDate: day, endDate: day });
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await readAs(pool, as(user)).select().from(projects)).toEqual([]);
  });

  test('that deadlocks with another is retried, and both take effect', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user();
    const [first, second] = [await server.make.project(user), await server.make.project(user)];
    const bothBegun = Promise.withResolvers<void>();
    let begun = 0;
    let attempts = 0;
    const rename = (name: string, order: { id: number }[]) =>
      transaction(pool, as(user), async (tx) => {
        attempts += 1;
        for (const { id } of order) {
          await tx
            .update(projects)
            .set({ name: sql`${projects.name} || ${name}` })
            .where(eq(projects.id, id));
          begun += 1;
          if (begun === 2) bothBegun.resolve();
          await bothBegun.promise;
        }
      });
    await Promise.all([rename(' A', [first, second]), rename(' B', [second, first])]);
    // PostgreSQL may abort both at the same moment.
    expect(attempts).toBeGreaterThan(2);
    const names = await readAs(pool, as(user)).select({ name: projects.name }).from(projects);
    const renamed = names.map(({ name }) => [name.includes(' A'), name.includes(' B')]);
    expect(renamed).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test('is attempted three times, and only after a deadlock', async ({ server }) => {
    const user = await server.make.user();
    const attemptsOf = async (code: string, failures: number) => {
      let attempts = 0;
      const done = transaction(server.services.pool, as(user), async () => {
        attempts += 1;
        if (attempts <= failures) throw Object.assign(new Error('refused'), { code });
      });
      const outcome = await done.then(
        () => 'done',
        (error: Error) => error.message,
      );
      return [outcome, attempts];
    };
    expect(await attemptsOf('40P01', 2)).toEqual(['done', 3]);
    expect(await attemptsOf('40P01', 9)).toEqual(['refused', 3]);
    expect(await attemptsOf('23505', 1)).toEqual(['refused', 1]);
  });

  test('of a suspended or deleted account is refused and writes nothing', async ({ server }) => {
    const { pool } = server.services;
    for (const state of ['banned = true', 'banned = true, deleted_at = now()']) {
      const user = await server.make.user();
      await server.make.sql(`update profiles set ${state} where id = $1`, [user.id]);
      const work = transaction(pool, as(user), (tx) =>
        tx
          .insert(projects)
          .values({ userId: user.id, name: 'X', location: 'Y', startDate: day, endDate: day }),
      );
      await expect(work).rejects.toMatchObject({ code: 'unauthenticated' });
      expect((await server.make.sql('select from projects where user_id = $1', [user.id])).rowCount).toBe(0);
    }
  });
});
