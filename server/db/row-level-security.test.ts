import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { todayInRome } from '#contract/dates.ts';
import type { UserId } from '#server/auth/actor.ts';
import { readAs, type Scope, SYSTEM, scopeOf, transaction } from '#server/db/scope.ts';
import { test } from '#server/testing/test.ts';
import { databaseFailure } from './failure.ts';

describe('row-level security', () => {
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
    const owner = await server.make.user();
    const project = await server.make.project(owner);
    await server.make.employee(owner, {}, project);
    const invoice = await server.make.invoice(owner, project);
    const request = await server.make.tripRequest(owner);
    await server.make.undeliveredMail({ userId: owner.id });
    for (const insert of [
      `insert into requirements (user_id, content) values ($1, '{}')`,
      `insert into support_requests (user_id, reference, message) values ($1, 'RIF-0002', 'Aiuto')`,
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
