import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { todayInRome } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';
import { readAs, type Scope, SYSTEM, scopeOf, transaction, VISITOR } from '#server/db/scope.ts';
import type { TestUser } from '#server/testing/factories.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { databaseFailure } from './failure.ts';

/** A customer with a row in each table of customer data. */
async function ownerOfRows(server: TestServer): Promise<TestUser> {
  const owner = await server.make.user();
  const project = await server.make.project(owner);
  await server.make.employee(owner, {}, project);
  const invoice = await server.make.invoice(owner, project, { dueDate: todayInRome() });
  const request = await server.make.tripRequest(owner);
  await server.make.undeliveredMail({ userId: owner.id });
  for (const insert of [
    `insert into requirements (user_id, content) values ($1, '{}')`,
    `insert into support_requests (user_id, reference, message) values ($1, 'RIF-' || left($1, 8), 'Aiuto')`,
  ])
    await server.make.sql(insert, [owner.id]);
  await server.make.sql(
    `insert into invoice_events (invoice_number, user_id, action) values ($2, $1, 'created')`,
    [owner.id, invoice.invoiceNumber],
  );
  await server.make.sql(
    `with offer as (insert into offers (trip_request_id, user_id) values ($2, $1) returning id)
     insert into offer_solutions (offer_id, user_id, accommodation, name, total)
     select id, $1, 'hotel', 'Hotel Lido', 900 from offer`,
    [owner.id, request.id],
  );
  return owner;
}

describe('row-level security', () => {
  test('shows an account its own sessions, without what they are entered with', async ({ server }) => {
    const owner = await server.make.user();
    const stranger = await server.make.user();
    await server.make.sql(
      `insert into sessions (id, token, user_id, expires_at)
       select 'sessione ' || id, 'gettone ' || id, id, now() + interval '1 day' from profiles where id = any($1)`,
      [[owner.id, stranger.id]],
    );
    const { pool } = server.services;
    const idsFor = async (scope: Scope) =>
      (await readAs(pool, scope).execute<{ id: string }>(sql`select id from own_sessions`)).rows.map(
        ({ id }) => id,
      );
    expect(await idsFor({ userId: owner.id as UserId, role: 'user' })).toEqual([`sessione ${owner.id}`]);
    expect(await idsFor(VISITOR)).toEqual([]);
    for (const refused of [sql`select token from own_sessions`, sql`select from sessions`])
      await expect(readAs(pool, VISITOR).execute(refused)).rejects.toThrow();
    // Otherwise a condition of a statement might be asked about the sessions of others, and tell of them by how it fails.
    const view = await server.make.sql("select reloptions from pg_class where relname = 'own_sessions'");
    expect(view.rows).toEqual([{ reloptions: ['security_barrier=true'] }]);
  });

  test('is enabled on every table with customer data, and no role can bypass it', async ({ server }) => {
    const { rows } = await server.make.sql<{ name: string }>(
      `select t.relname as name from pg_class t
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relrowsecurity
         and has_table_privilege('trasvia_app', t.oid, 'select')`,
    );
    // Neither holds customer data: hashed rate-limit keys and migration names.
    const open = rows
      .map(({ name }) => name)
      .filter((name) => !['rate_limits', 'schema_migrations'].includes(name));
    expect(open).toEqual([]);
    const roles = await server.make.sql(
      "select rolname from pg_roles where rolname like 'trasvia\\_%' and (rolsuper or rolbypassrls or rolcreaterole)",
    );
    expect(roles.rows).toEqual([]);
  });

  test('lets no customer read or delete the rows of another, or add one for them, in any table', async ({
    server,
  }) => {
    const owner = await ownerOfRows(server);
    const stranger = await server.make.user();
    const { pool } = server.services;
    const list = (parts: SQLChunk[]) => sql.join(parts, sql`, `);
    const scopeOfCustomer = (userId: UserId) => scopeOf({ userId, kind: 'user', sessionId: 'none' });
    const scope = scopeOfCustomer(stranger.id);
    const changedBy = (customer: { id: UserId }, change: SQL) =>
      transaction(
        pool,
        scopeOfCustomer(customer.id),
        async (tx) => (await tx.execute(change)).rowCount,
      ).catch((error: unknown) => {
        // Refused; any other failure proves nothing.
        if (databaseFailure(error)?.code !== '42501') throw error;
        return 0;
      });

    const { rows } = await server.make.sql<{ name: string; columns: string[] }>(
      `select t.relname as name, array_agg(a.attname::text) as columns
       from pg_class t join pg_attribute a on a.attrelid = t.oid
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and has_table_privilege('trasvia_app', t.oid, 'select')
       group by t.relname having bool_or(a.attname = 'user_id')`,
    );
    const seen: Record<string, { system: number; stranger: number; deleted: unknown; added: unknown }> = {};
    for (const { name, columns } of rows) {
      const table = sql.identifier(name);
      const count = sql`select count(*)::int as rows from ${table} where user_id = ${owner.id}`;
      const rowsOf = async (db: ReturnType<typeof readAs>) =>
        (await db.execute<{ rows: number }>(count)).rows[0]?.rows ?? -1;
      seen[name] = {
        system: await rowsOf(readAs(pool, SYSTEM)),
        stranger: await rowsOf(readAs(pool, scope)),
        deleted: await changedBy(stranger, sql`delete from ${table} where user_id = ${owner.id}`),
        // The database checks the owner before it finds that the copies repeat their keys.
        added: await changedBy(
          owner,
          sql`insert into ${table} (${list(columns.map((column) => sql.identifier(column)))}) select ${list(
            columns.map((column) => (column === 'user_id' ? sql`${stranger.id}` : sql.identifier(column))),
          )} from ${table} where user_id = ${owner.id}`,
        ),
      };
    }
    // A table without a row of the owner proves nothing: add one above for each new table.
    expect(Object.entries(seen).filter(([, { system }]) => system === 0)).toEqual([]);
    expect(Object.keys(seen).length).toBeGreaterThan(8);
    expect(
      Object.entries(seen).filter(
        ([, { stranger, deleted, added }]) => stranger !== 0 || deleted !== 0 || added !== 0,
      ),
    ).toEqual([]);
  });

  test('lets each role do to the rows of others only what its work needs', async ({ server }) => {
    const owner = await ownerOfRows(server);
    await server.make.sql("insert into audit_events (action, subject_id) values ('login', $1)", [owner.id]);
    await server.make.sql(`insert into contact_requests (first_name, last_name, phone, contact_preference)
                           values ('Anna', 'Verdi', '1', 'email')`);
    const { id } = await server.make.user();
    const { id: adminId } = await server.make.user({ role: 'admin' });
    const { id: clerkId } = await server.make.invoiceAdmin();
    const roles: Record<string, Scope> = {
      visitor: VISITOR,
      customer: { userId: id, role: 'user' },
      admin: { userId: adminId, role: 'admin' },
      clerk: { userId: clerkId, role: 'invoice_admin' },
    };
    const { rows: tables } = await server.make.sql<{ name: string; columns: string[]; settable: string }>(
      `select t.relname as name, array_agg(a.attname::text) as columns,
         (array_agg(a.attname::text order by a.attnotnull, a.attnum desc) filter (
           where has_column_privilege('trasvia_app', t.oid, a.attnum, 'update')))[1] as settable
       from pg_class t join pg_attribute a on a.attrelid = t.oid
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relrowsecurity
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and has_table_privilege('trasvia_app', t.oid, 'select')
       group by t.oid order by t.relname`,
    );
    const undone = new Error('undone');
    /** How many rows a statement of `scope` reads, changes or deletes; it is undone, and 0 when it is refused. */
    const reached = async (scope: Scope, statement: SQL): Promise<number> => {
      let rows = 0;
      const work = transaction(server.services.pool, scope, async (tx) => {
        rows = (await tx.execute(statement)).rowCount ?? 0;
        throw undone;
      });
      return work.catch((error: unknown) => {
        const code = databaseFailure(error)?.code;
        if (error !== undone && code === undefined) throw error;
        // Policies are checked before constraints: one that is violated shows that no policy refused the row.
        return code === undefined ? rows : Number(code !== '42501');
      });
    };

    const allowed: Record<string, Record<string, string>> = {};
    for (const { name, columns, settable } of tables) {
      const table = sql.identifier(name);
      const all = sql.join(
        columns.map((column) => sql.identifier(column)),
        sql`, `,
      );
      const [row] = (await server.make.sql(`select to_jsonb(t) as kept from ${name} t limit 1`)).rows;
      // A table without a row proves nothing: add one above for each new table.
      expect([name, row]).not.toEqual([name, undefined]);
      // No statement names a column in a condition: the database would also look at who may read the row.
      const statements = {
        r: sql`select from ${table}`,
        c: sql`insert into ${table} (${all}) select ${all} from jsonb_populate_record(null::${table}, ${row?.kept}::jsonb)`,
        u: sql`update ${table} set ${sql.identifier(settable ?? columns[0] ?? '')} = null`,
        d: sql`delete from ${table}`,
      };
      for (const [role, scope] of Object.entries(roles)) {
        const own = name === 'profiles' && scope.userId !== null ? 1 : 0;
        let letters = '';
        for (const [letter, statement] of Object.entries(statements))
          if ((await reached(scope, statement)) > (letter === 'c' ? 0 : own)) letters += letter;
        if (letters) allowed[name] = { ...allowed[name], [role]: letters };
      }
    }
    // r: read, c: create, u: update, d: delete. What is not here, such as the employees of others, is for nobody.
    expect(allowed).toEqual({
      audit_events: { visitor: 'c', customer: 'c', admin: 'rc', clerk: 'c' },
      contact_requests: { visitor: 'c', customer: 'c', admin: 'rcud', clerk: 'c' },
      invoice_day_totals: { clerk: 'r' },
      invoice_events: { clerk: 'rc' },
      invoice_month_totals: { clerk: 'r' },
      invoice_totals: { clerk: 'r' },
      invoices: { clerk: 'rcud' },
      mail_messages: { visitor: 'c', customer: 'c', admin: 'rcud', clerk: 'c' },
      offer_solutions: { admin: 'rc' },
      offers: { admin: 'rc' },
      profile_counts: { admin: 'r', clerk: 'r' },
      profiles: { admin: 'ru', clerk: 'r' },
      projects: { clerk: 'r' },
      requirements: { admin: 'rcud' },
      support_requests: { admin: 'rcud' },
      trip_request_counts: { admin: 'r' },
      trip_request_events: { admin: 'rc' },
      trip_requests: { admin: 'rcud' },
      unpaid_invoice_month_totals: { clerk: 'r' },
      unpaid_invoice_totals: { clerk: 'r' },
    });
  });

  test('shows a customer no row of a table that belongs to no customer, but their own account', async ({
    server,
  }) => {
    const { sql: run } = server.make;
    const owner = await server.make.user();
    await server.make.invoice(owner, await server.make.project(owner), { dueDate: todayInRome() });
    await server.make.tripRequest(owner);
    await run(`insert into contact_requests (first_name, last_name, phone, contact_preference)
               values ('Anna', 'Verdi', '1', 'email')`);
    await run("insert into audit_events (action, subject_id) values ('login', $1)", [owner.id]);
    const { id } = await server.make.user();
    const { rows } = await run<{ name: string }>(
      `select t.relname as name from pg_class t
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relrowsecurity
         and has_table_privilege('trasvia_app', t.oid, 'select')
         and not exists (select from pg_attribute where attrelid = t.oid and attname = 'user_id')`,
    );
    const { pool } = server.services;
    const seenBy = async (scope: Scope, name: string) => {
      const count = sql`select count(*)::int as seen from ${sql.identifier(name)}`;
      return (await readAs(pool, scope).execute<{ seen: number }>(count)).rows[0]?.seen;
    };
    const customer = scopeOf({ userId: id, kind: 'user', sessionId: 'none' });
    const seen: Record<string, number | undefined> = {};
    for (const { name } of rows) {
      // A table without a row proves nothing: add one above for each new table.
      expect([name, await seenBy(SYSTEM, name)]).not.toEqual([name, 0]);
      seen[name] = await seenBy(customer, name);
    }
    expect(Object.entries(seen).filter(([, count]) => count !== 0)).toEqual([['profiles', 1]]);
    expect(Object.keys(seen).length).toBeGreaterThan(6);
  });
});

test('a customer changes no account but their own, even with a statement that names none', async ({
  server,
}) => {
  const { id: stranger } = await server.make.user({ companyName: 'Come prima S.r.l.' });
  const { id } = await server.make.user();
  // Without a condition, the database would not look at which accounts may be read.
  const changed = await transaction(
    server.services.pool,
    scopeOf({ userId: id, kind: 'user', sessionId: 'none' }),
    async (tx) => (await tx.execute(sql`update profiles set company_name = 'Di tutti S.p.A.'`)).rowCount,
  );
  expect(changed).toBe(1);
  const { rows } = await server.make.sql('select company_name from profiles where id = $1', [stranger]);
  expect(rows).toEqual([{ company_name: 'Come prima S.r.l.' }]);
});

describe('ids of records', () => {
  test('increase but cannot be guessed from one’s own', async ({ server }) => {
    const { rows } = await server.make.sql<{ id: string }>(
      "select next_id('projects_seq') as id from generate_series(1, 2000)",
    );
    const ids = rows.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(ids.every(Number.isSafeInteger)).toBe(true);
    // Each id has a random part of a million values, evenly distributed.
    const parts = ids.map((id) => id % 1_048_576);
    const quarters = [0, 0, 0, 0];
    for (const part of parts)
      quarters[Math.floor(part / 262_144)] = (quarters[Math.floor(part / 262_144)] ?? 0) + 1;
    for (const count of quarters) expect(Math.abs(count - 500)).toBeLessThan(120);
    expect(new Set(parts).size).toBeGreaterThan(1_980);
  });
});
