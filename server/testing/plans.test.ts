import { sql } from 'drizzle-orm';
import { escapeLiteral, type Pool } from 'pg';
import { describe, expect } from 'vitest';
import { adminInvoiceQuerySchema } from '#contract/admin-invoices.ts';
import { addDays, todayInRome } from '#contract/dates.ts';
import { EMPLOYEE_DEFAULTS, employeeListQuerySchema } from '#contract/employees.ts';
import { invoiceQuerySchema } from '#contract/invoices.ts';
import { listQuerySchema } from '#contract/lists.ts';
import { projectListQuerySchema } from '#contract/projects.ts';
import { managedTripRequestQuerySchema, ownTripRequestQuerySchema } from '#contract/trip-requests.ts';
import { usersQuerySchema } from '#contract/users.ts';
import type { UserId } from '#server/auth/actor.ts';
import { encodeCursor } from '#server/db/keyset.ts';
import { type Database, readAs, type Scope } from '#server/db/scope.ts';
import { listAllInvoices } from '#server/features/admin-invoices/queries.ts';
import { listCustomers } from '#server/features/customers/queries.ts';
import { findDashboard } from '#server/features/dashboard/queries.ts';
import { findOwnData } from '#server/features/data-downloads/queries.ts';
import { listEmployees } from '#server/features/employees/queries.ts';
import { listInvoices, summariseInvoices } from '#server/features/invoices/queries.ts';
import { findTeamStats, findTimeline, listProjects } from '#server/features/projects/queries.ts';
import { search } from '#server/features/search/queries.ts';
import { listManagedTripRequests, listTripRequests } from '#server/features/trip-requests/queries.ts';
import { listUsers } from '#server/features/users/queries.ts';
import { test } from '#server/testing/test.ts';
import { loadDataset } from '../../bench/dataset.ts';

/** Enough rows that PostgreSQL scans a whole table only where no index helps. */
const SIZE = {
  customers: 4_000,
  projects: 4_500,
  employees: 4_000,
  invoices: 12_000,
  requests: 4_000,
  large: { customers: 1, projects: 20, employees: 200, invoices: 600 },
};
/** Most rows of a growing table that one scan may read: some pages, or all rows of one customer. */
const MAX_ROWS = 800;
const GROWING = new Set([
  'assignment_periods',
  'employee_status_changes',
  'employees',
  'invoice_events',
  'invoices',
  'offer_solutions',
  'offers',
  'profiles',
  'project_assignments',
  'projects',
  'trip_request_events',
  'trip_requests',
]);

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
};
type Scan = { table: string; kind: string; rows: number };

function scansOf(node: Node): Scan[] {
  const table = node['Relation Name'];
  const each =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = table
    ? [{ table, kind: node['Node Type'], rows: Math.round(each * node['Actual Loops']) }]
    : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)].filter((scan) => GROWING.has(scan.table));
}

type Statement = { name?: string; text: string; values: unknown[] };

/** Number of row pairs that joins compare and discard, as when a nested loop compares each person with each other. */
function vainPairsOf(node: Node): number {
  const own = (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'];
  return (node.Plans ?? []).map(vainPairsOf).reduce((sum, pairs) => sum + pairs, own);
}

/** Runs `read` under the row-level security of `scope`; returns the plans of its statements. */
async function plansFor(pool: Pool, scope: Scope, read: (db: Database) => Promise<unknown>): Promise<Node[]> {
  const statements: Statement[] = [];
  const recorder = {
    query(statement: Statement) {
      statements.push(statement);
      return pool.query(statement);
    },
  };
  await read(readAs(recorder as unknown as Pool, scope));
  const plans: Node[] = [];
  for (const { name, text, values } of statements) {
    const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`, values);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    if (name) plans.push(await keptPlanOf(pool, { text, values }));
  }
  return plans;
}

/** The scans of growing tables in the plans of `read`. */
async function scansFor(pool: Pool, scope: Scope, read: (db: Database) => Promise<unknown>): Promise<Scan[]> {
  return (await plansFor(pool, scope, read)).flatMap(scansOf);
}

/** The generic plan, which a connection may use for a prepared statement. */
async function keptPlanOf(pool: Pool, { text, values }: Statement): Promise<Node> {
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare kept as ${text}`);
    const literals = values.map((value) => (value === null ? 'null' : escapeLiteral(String(value))));
    const { rows } = await client.query(
      `explain (analyze, timing off, format json) execute kept(${literals.join(', ')})`,
    );
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    // Closes the connection, so that its settings do not leak.
    client.release(true);
  }
}

const today = todayInRome();
const middleInvoices = {
  number: 'invoice_number',
  customer: "fold(full_name) || E'\\t' || profiles.id",
  project: 'fold(project_name)',
  issueDate: 'issue_date',
  amount: 'amount',
  status: 'status',
} as const;
type Sort = keyof typeof middleInvoices;
const SORTS = Object.keys(middleInvoices) as Sort[];

const asInvoiceAdmin: Scope = { userId: 'nobody' as UserId, role: 'invoice_admin' };
const asAdmin: Scope = { userId: 'nobody' as UserId, role: 'admin' };
const viewer = { userId: 'nobody' as UserId, invoiceAdminEmail: 'fatture@example.com' };

describe('on a large dataset', () => {
  let sample: {
    number: string;
    account: string;
    surname: string;
    amount: string;
    owner: UserId;
    project: number;
    large: UserId;
  };

  test.beforeAll(async ({ server }) => {
    await loadDataset(server.services.env.databaseUrl ?? '', SIZE);
    await server.make.sql(`
      insert into offers (trip_request_id, user_id, valid_until) select id, user_id, current_date from trip_requests;
      insert into offer_solutions (offer_id, user_id, accommodation, name, total)
        select id, user_id, 'hotel', 'Albergo', 100 from offers;
      analyze offers, offer_solutions`);
    // Short texts: for long ones, a sequential scan of a table this small is faster.
    const { rows } = await server.make.sql(
      `select right(invoice_number, 6) as number, substring(email from '\\d+@') as account,
         regexp_replace(full_name, '^.* ', '') as surname, replace(amount::text, '.', ',') as amount, user_id as owner,
         project_id::float8 as project, (select id from profiles where username = 'cliente1') as large
       from invoices join profiles on profiles.id = user_id order by invoices.id offset 6000 limit 1`,
    );
    sample = rows[0];
  });

  function expectFew(scans: Scan[]) {
    expect(scans).not.toEqual([]);
    expect(scans.filter(({ kind, rows }) => kind === 'Seq Scan' || rows > MAX_ROWS)).toEqual([]);
  }

  test.for(
    SORTS.flatMap((sort) => [
      { sort, direction: 'asc' as const },
      { sort, direction: 'desc' as const },
    ]),
  )(
    'the first and a deep page of all invoices by $sort, $direction, need no full scan',
    async (order, { server }) => {
      const { pool } = server.services;
      const { rows } = await server.make.sql(
        `select (${middleInvoices[order.sort]})::text as value, invoices.id::float8 as id
         from invoices join profiles on profiles.id = user_id
         order by ${middleInvoices[order.sort]}, invoices.id offset 6000 limit 1`,
      );
      const cursor = encodeCursor(
        {
          name: order.sort,
          direction: order.direction,
          key: { expression: undefined as never, type: 'text' },
        },
        rows[0],
      );
      for (const page of [{}, { cursor }]) {
        const query = adminInvoiceQuerySchema.parse({ ...order, ...page });
        expectFew(await scansFor(pool, asInvoiceAdmin, (db) => listAllInvoices(db, query, today)));
      }
    },
  );

  test.for<[string, () => Record<string, string>]>([
    ['state', () => ({ status: 'Pagata' })],
    ['overdue', () => ({ status: 'Scaduta' })],
    ['missing file', () => ({ file: 'without' })],
    ['issue dates', () => ({ from: addDays(today, -400), to: addDays(today, -200) })],
    ['customer', () => ({ userId: sample.owner })],
    ['a searched number', () => ({ search: sample.number })],
    ['a searched customer', () => ({ search: sample.account })],
    ['a searched name and address', () => ({ search: `${sample.surname} ${sample.account}` })],
    ['a searched name and number', () => ({ search: `${sample.surname} ${sample.number}` })],
    ['a searched amount', () => ({ search: sample.amount })],
    ['a searched amount and name', () => ({ search: `${sample.amount} ${sample.surname}` })],
    ['several searched words', () => ({ search: `S.r.l. fat ${sample.account} ${sample.surname} 20` })],
  ])('all invoices filtered by %s need no full scan', async ([, filter], { server }) => {
    const query = adminInvoiceQuerySchema.parse(filter());
    expectFew(
      await scansFor(server.services.pool, asInvoiceAdmin, (db) => listAllInvoices(db, query, today)),
    );
  });

  test.for(['montaggi', 'impresa montaggi'])(
    'a search with many matches is paged as one with few, but its matches are not summed: %s',
    async (search, { server }) => {
      const db = readAs(server.services.pool, asInvoiceAdmin);
      const page = (most: number, cursor?: string) =>
        listAllInvoices(db, adminInvoiceQuerySchema.parse({ search, cursor }), today, most);
      const counted = await page(10_000);
      expect(counted.total).toBeGreaterThan(1_000);
      expect(counted.totals).not.toBeNull();
      // Counted up to 1,000; the estimate already exceeds 100 by far.
      for (const most of [1_000, 100])
        expect(await page(most)).toEqual({ ...counted, total: most, totals: null });
      const cursor = counted.nextCursor ?? '';
      expect((await page(1_000, cursor)).items).toEqual((await page(10_000, cursor)).items);
      // One customer has few matches again.
      const narrowed = adminInvoiceQuerySchema.parse({ search, userId: sample.large });
      expect(await listAllInvoices(db, narrowed, today, 1_000)).toEqual(
        await listAllInvoices(db, narrowed, today),
      );
    },
  );

  test('the number of matching invoices is estimated only for the role that sees them all', async ({
    server,
  }) => {
    const estimate = async (scope: Scope, pattern: string) =>
      (
        await readAs(server.services.pool, scope).execute<{ n: string }>(
          sql`select estimated_invoices(${pattern}) as n`,
        )
      ).rows[0]?.n;
    expect(Number(await estimate(asInvoiceAdmin, '%montaggi%'))).toBeGreaterThan(1_000);
    expect(Number(await estimate(asInvoiceAdmin, "%d'oltremare zzz%"))).toBeLessThan(100);
    for (const scope of [asAdmin, { userId: sample.owner, role: 'user' } as const])
      expect(await estimate(scope, '%montaggi%')).toBe('0');
  });

  test('the list of customers needs no full scan', async ({ server }) => {
    const { pool } = server.services;
    const { nextCursor } = await listCustomers(readAs(pool, asInvoiceAdmin), viewer.invoiceAdminEmail, {
      limit: 100,
    });
    const words = `${sample.surname} ${sample.account}`;
    for (const query of [{}, { cursor: nextCursor }, { search: sample.account }, { search: words }]) {
      const page = listQuerySchema.parse(query);
      expectFew(
        await scansFor(pool, asInvoiceAdmin, (db) => listCustomers(db, viewer.invoiceAdminEmail, page)),
      );
    }
  });

  test('the list of users needs no full scan', async ({ server }) => {
    const { pool } = server.services;
    const { rows } = await server.make.sql(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as value, id
       from profiles order by created_at offset 2000 limit 1`,
    );
    const newest = {
      name: 'newest',
      direction: 'desc',
      key: { expression: undefined as never, type: 'text' },
    } as const;
    const words = `${sample.surname} ${sample.account}`;
    const cursor = encodeCursor(newest, rows[0]);
    for (const query of [{}, { cursor }, { search: sample.account }, { search: words }]) {
      const page = usersQuerySchema.parse(query);
      expectFew(await scansFor(pool, asAdmin, (db) => listUsers(db, viewer, page)));
    }
  });

  test('the list of all trip requests needs no full scan', async ({ server }) => {
    const words = `${sample.surname} ${sample.account}`;
    const { owner: userId } = sample;
    for (const query of [
      {},
      { state: 'Inviata' },
      { userId },
      { search: sample.account },
      { search: words },
      { search: words, userId },
    ]) {
      const page = managedTripRequestQuerySchema.parse(query);
      expectFew(await scansFor(server.services.pool, asAdmin, (db) => listManagedTripRequests(db, page)));
    }
  });

  test.for([
    ['admin', asAdmin],
    ['invoiceAdmin', asInvoiceAdmin],
  ] as const)(
    'the global search over all customers needs no full scan: %s',
    async ([kind, scope], { server }) => {
      const { pool } = server.services;
      for (const text of [sample.account, sample.number, `${sample.surname} ${sample.account}`]) {
        const read = (db: Database) => search(db, { userId: sample.owner, kind }, viewer, text, today);
        expectFew(await scansFor(pool, scope, read));
      }
    },
  );

  test.for(['owner', 'large'] as const)(
    'the pages of a customer need no full scan: %s',
    async (kind, { server }) => {
      const owner = sample[kind];
      const scope: Scope = { userId: owner, role: 'user' };
      const reads: ((db: Database) => Promise<unknown>)[] = [
        (db) => findDashboard(db, owner, today),
        (db) => listInvoices(db, owner, invoiceQuerySchema.parse({}), today),
        (db) => listInvoices(db, owner, invoiceQuerySchema.parse({ status: 'Scaduta' }), today),
        (db) => listInvoices(db, owner, invoiceQuerySchema.parse({ search: 'milano' }), today),
        (db) => summariseInvoices(db, owner, today),
        (db) => listProjects(db, owner, projectListQuerySchema.parse({})),
        (db) => findTeamStats(db, owner),
        (db) => listEmployees(db, owner, employeeListQuerySchema.parse({})),
        (db) => listEmployees(db, owner, employeeListQuerySchema.parse({ role: EMPLOYEE_DEFAULTS.role })),
        (db) => listEmployees(db, owner, employeeListQuerySchema.parse({ search: 'montaggi 333 12' })),
        (db) => listTripRequests(db, owner, ownTripRequestQuerySchema.parse({})),
        (db) => listTripRequests(db, owner, ownTripRequestQuerySchema.parse({ projectId: sample.project })),
        (db) => search(db, { userId: owner, kind: 'user' }, viewer, 'milano', today),
        (db) => findOwnData(db, owner),
      ];
      for (const read of reads) expectFew(await scansFor(server.services.pool, scope, read));
    },
  );

  test('a newly imported large team causes no quadratic join', async ({ server }) => {
    const { pool } = server.services;
    const user = await server.make.user({ username: 'squadra', email: 'squadra@example.com' });
    const project = await server.make.project(user);
    // As after an import: the planner has no statistics about it yet.
    await server.make.sql(
      `with crew as (
         insert into employees (id, user_id, name, role, status)
         select 5000000 + n, $1, 'Persona ' || n, 'Tecnico', 'in trasferta' from generate_series(1, 1000) n
         returning id)
       insert into project_assignments (project_id, employee_id, user_id) select $2, id, $1 from crew`,
      [user.id, project.id],
    );
    const scope: Scope = { userId: user.id, role: 'user' };
    const period = { from: addDays(today, -30), to: addDays(today, 150) };
    const reads: ((db: Database) => Promise<unknown>)[] = [
      (db) => findDashboard(db, user.id, today),
      (db) => findTeamStats(db, user.id),
      (db) => findTimeline(db, user.id, period),
      (db) => listProjects(db, user.id, projectListQuerySchema.parse({})),
      (db) => listEmployees(db, user.id, employeeListQuerySchema.parse({})),
      (db) => listEmployees(db, user.id, employeeListQuerySchema.parse({ projectId: project.id })),
      (db) => listEmployees(db, user.id, employeeListQuerySchema.parse({ projectId: 0 })),
    ];
    const vain = await Promise.all(
      reads.map(async (read) =>
        Math.max(
          ...(await plansFor(pool, scope, read)).map((plan) => Math.floor(vainPairsOf(plan) / 10_000)),
        ),
      ),
    );
    expect(vain).toEqual(reads.map(() => 0));
  });

  test('no text index keeps a pending list that searches would have to read', async ({ server }) => {
    const { rows } = await server.make.sql<{ name: string; options: string[] }>(
      `select relname as name, reloptions as options from pg_class join pg_am on pg_am.oid = relam
       where amname = 'gin' and relnamespace = 'public'::regnamespace order by relname`,
    );
    const lists = rows.filter(({ options }) => !options.includes('fastupdate=off'));
    expect(rows.map(({ name }) => name)).toEqual([
      'invoices_search',
      'profiles_search',
      'trip_requests_search',
    ]);
    expect(lists.map(({ name }) => name)).toEqual(['invoices_search']);

    // Each statement merges the pending list of this index as it ends.
    for (const name of ["name || ' bis'", 'left(name, -4)']) {
      const { rows: renamed } = await server.make.sql(
        `update projects set name = ${name}
         where id = (select min(project_id) from invoices) returning id`,
      );
      const { rows: left } = await server.make.sql(
        "select gin_clean_pending_list('invoices_search')::int as pages",
      );
      expect([renamed, left]).toEqual([[expect.anything()], [{ pages: 0 }]]);
    }
  });

  test('views over all customers show rows only to the administrators in charge of them', async ({
    server,
  }) => {
    const { pool } = server.services;
    const seen = async (scope: Scope, view: string) =>
      (await readAs(pool, scope).execute(`select count(*)::int as n from ${view}`)).rows[0]?.n;
    const stranger: Scope = { userId: sample.owner, role: 'user' };
    const visitor: Scope = { userId: null, role: 'visitor' };
    const views = [
      'all_invoices',
      'all_profiles',
      'all_trip_requests',
      'invoice_day_totals',
      'invoice_month_totals',
      'unpaid_invoice_totals',
      'unpaid_invoice_month_totals',
      'profile_counts',
      'trip_request_counts',
    ];
    for (const view of views) {
      expect([view, await seen(stranger, view), await seen(visitor, view)]).toEqual([view, 0, 0]);
    }
    expect(await seen(asAdmin, 'all_invoices')).toBe(0);
    expect(await seen(asInvoiceAdmin, 'all_trip_requests')).toBe(0);
    expect(await seen(asInvoiceAdmin, 'all_invoices')).toBe(SIZE.invoices);
  });
});
