/**
 * `npm run bench:dataset -- S|M|L`: fills an empty database with the same records every time, relative to today: a few
 * large customers, many small ones. The database is `DATABASE_URL`, or the embedded one of `DATA_DIR`, which must not be
 * running. Start the server on it with `DEMO=off RATE_LIMITS=off`; every account has the password below.
 */
import { hashPassword } from 'better-auth/crypto';
import { Client } from 'pg';
import { todayInRome } from '#contract/dates.ts';
import { provider } from '#provider';
import { migrate } from '#server/db/migrate.ts';
import { readEnv } from '#server/env.ts';
import { type OnProgress, progressBar } from '#server/operations/progress.ts';
import { StartError } from '#server/start-error.ts';
import { runCommand, withDatabaseAlone } from '../scripts/operator-database.ts';

/** How many records of each kind a dataset has, and how many belong to each of its `large` customers. */
export type DatasetSize = {
  customers: number;
  projects: number;
  employees: number;
  invoices: number;
  requests: number;
  large: { customers: number; projects: number; employees: number; invoices: number };
};

export const SIZES = {
  S: {
    customers: 100,
    projects: 1_000,
    employees: 5_000,
    invoices: 1_000,
    requests: 2_000,
    large: { customers: 1, projects: 50, employees: 500, invoices: 100 },
  },
  M: {
    customers: 1_000,
    projects: 10_000,
    employees: 50_000,
    invoices: 50_000,
    requests: 20_000,
    large: { customers: 2, projects: 100, employees: 2_000, invoices: 5_000 },
  },
  L: {
    customers: 10_000,
    projects: 100_000,
    employees: 500_000,
    invoices: 1_000_000,
    requests: 200_000,
    large: { customers: 5, projects: 200, employees: 2_000, invoices: 20_000 },
  },
} as const satisfies Record<string, DatasetSize>;

/** Password of every account of a dataset. Customers are `cliente1`, `cliente2` …; the large ones come first. */
export const DATASET_PASSWORD = 'una password di prova';
/** The administrator of a dataset. The invoice administrator has the address reserved by the configuration. */
export const DATASET_ADMIN = 'amministrazione';

type Step = { name: string; table: string | null; sql: string };

/** SQL functions: the same number from 0 to 1 for the same record and purpose, on every machine. */
const HELPERS = `
  create function pg_temp.chance(record bigint, purpose bigint) returns float8 language sql immutable as
    $$ select (hashint8extended(record, purpose) & 9007199254740991) / 9007199254740992.0 $$;
  create function pg_temp.pick(options text[], record bigint, purpose bigint) returns text language sql immutable as
    $$ select options[1 + floor(pg_temp.chance(record, purpose) * cardinality(options))::int] $$;
  create function pg_temp.record_id(number bigint, purpose bigint) returns bigint language sql immutable as
    $$ select number * 1048576 + (hashint8extended(number, purpose) & 1048575) $$;
  create function pg_temp.account_id(number bigint) returns text language sql immutable as
    $$ select md5('account ' || number)::uuid::text $$;
  -- Whose the record is: first the large customers' share, then one for each of the others, then ever fewer.
  create function pg_temp.owner_of(record bigint, purpose bigint, large bigint, each bigint, customers bigint)
    returns bigint language sql immutable as
    $$ select case
         when record <= large * each then 1 + (record - 1) / each
         when record <= large * each + customers - large then large + record - large * each
         else large + 1 + floor((customers - large) * power(pg_temp.chance(record, purpose), 1.5))::bigint
       end $$;
  create function pg_temp.person(record bigint) returns text language sql immutable as
    $$ select pg_temp.pick('{Marco,Luca,Giulia,Anna,Paolo,Sara,Matteo,Elena,Davide,Chiara,Andrea,Marta,Ahmed,Ion,Nicolò,Zoë}', record, 1)
         || ' ' || pg_temp.pick('{Rossi,Bianchi,Ferrari,Esposito,Romano,Colombo,Ricci,Marino,Greco,Bruno,Gallo,Conti,De Luca,Costa,Popescu,D''Angelo}', record, 2) $$;
  create function pg_temp.place(record bigint) returns text language sql immutable as
    $$ select pg_temp.pick('{Milano,Taranto,Gela,Ravenna,Porto Marghera,Genova,Brindisi,Augusta,Livorno,Trieste,Torino,Napoli,Cagliari,Priolo,Forlì,Sannazzaro}', record, 3) $$;
`;

/** The steps that load one size, in order; each drops the indexes of its table while it runs. */
function stepsOf(size: DatasetSize, passwordHash: string): Step[] {
  const { large } = size;
  const owner = (each: number, purpose: number) =>
    `pg_temp.owner_of(n, ${purpose}, ${large.customers}, ${each}, ${size.customers})`;
  const today = `'${todayInRome()}'::date`;
  // Only this variable: a test that loads a dataset has not configured a whole application.
  const { INVOICE_ADMIN_EMAIL } = process.env;
  const { invoiceAdminEmail } = readEnv({ INVOICE_ADMIN_EMAIL });
  return [
    {
      name: 'accounts',
      table: 'profiles',
      sql: `insert into profiles (id, email, email_verified, username, full_name, company_name, created_at)
        select pg_temp.account_id(n), 'cliente' || n || '@impresa' || n || '.example', true, 'cliente' || n,
          pg_temp.person(n), 'Impresa ' || pg_temp.pick('{Edile,Impianti,Montaggi,Carpenterie,Manutenzioni}', n, 4) || ' ' || n || ' S.r.l.',
          ${today}::timestamp - interval '1200 days' + n * interval '1 hour' / ${Math.ceil(size.customers / 24_000)}
        from generate_series(1, ${size.customers}) n
        union all
        select pg_temp.account_id(0), '${DATASET_ADMIN}@trasvia.example', true, '${DATASET_ADMIN}', 'Amministrazione', null, now()
        union all
        select pg_temp.account_id(-1), '${invoiceAdminEmail}', true, 'ufficio.fatture', 'Ufficio Fatture', '${provider.name}', now()`,
    },
    {
      name: 'passwords',
      table: 'accounts',
      sql: `insert into accounts (id, user_id, account_id, provider_id, password)
        select 'password ' || id, id, id, 'credential', '${passwordHash}' from profiles`,
    },
    {
      name: 'roles',
      table: null,
      sql: `update profiles set role = 'admin' where id in (pg_temp.account_id(0), pg_temp.account_id(-1))`,
    },
    {
      name: 'projects',
      table: 'projects',
      sql: `insert into projects (id, user_id, name, location, start_date, end_date, status, projected_total, created_at)
        select pg_temp.record_id(n, 1), pg_temp.account_id(${owner(large.projects, 10)}),
          pg_temp.pick('{Cantiere,Raffineria,Fermata impianto,Montaggio,Manutenzione,Collaudo}', n, 11) || ' ' || pg_temp.place(n) || ' ' || n,
          pg_temp.place(n), start, start + lasts, case when start + lasts < ${today} then 'Completato' else 'In corso' end,
          round((5000 + pg_temp.chance(n, 12) * 200000)::numeric, 2), start
        from generate_series(1, ${size.projects}) n,
          lateral (select ${today} - floor(pg_temp.chance(n, 13) * 1050)::int + 60 as start,
            20 + floor(pg_temp.chance(n, 14) * 200)::int as lasts) dates`,
    },
    {
      name: 'projects by owner',
      table: null,
      sql: `create temp table owned as
          select id, user_id, name, start_date, row_number() over (partition by user_id order by id) - 1 as place,
            count(*) over (partition by user_id) as places from projects;
        create unique index on owned (user_id, place);
        create temp table owners as select distinct user_id, places from owned;
        create unique index on owners (user_id);
        analyze owned; analyze owners`,
    },
    {
      name: 'employees',
      table: 'employees',
      sql: `insert into employees (id, user_id, name, role, email, phone, status, created_at)
        select pg_temp.record_id(n, 2), pg_temp.account_id(${owner(large.employees, 20)}), pg_temp.person(n),
          pg_temp.pick('{Capocantiere,Cantierista,Cantierista,Cantierista,Analista Dati,Ingegnere,Tecnico,Tecnico,Supervisore}', n, 21),
          'persona' || n || '@example.com', '+39 333 ' || lpad((n % 10000000)::text, 7, '0'),
          case when pg_temp.chance(n, 22) < 0.35 then 'in trasferta' when pg_temp.chance(n, 22) < 0.6 then 'Rientrato' else 'disponibile' end,
          ${today} - floor(pg_temp.chance(n, 23) * 1000)::int
        from generate_series(1, ${size.employees}) n`,
    },
    {
      name: 'status changes',
      table: 'employee_status_changes',
      sql: `insert into employee_status_changes (employee_id, user_id, status, at)
        select id, user_id, status, created_at from employees`,
    },
    {
      name: 'assignments',
      table: 'project_assignments',
      sql: `insert into project_assignments (project_id, employee_id, user_id, assigned_at)
        select distinct on (owned.id, e.id) owned.id, e.id, e.user_id, owned.start_date
        from employees e
        join owners on owners.user_id = e.user_id
        cross join (values (30, 0.9), (31, 0.2)) as rounds (purpose, share)
        join owned on owned.user_id = e.user_id
          and owned.place = floor(pg_temp.chance(e.id, purpose) * owners.places)::bigint
        where pg_temp.chance(e.id, purpose + 10) < share`,
    },
    {
      name: 'assignment history',
      table: 'assignment_periods',
      sql: `insert into assignment_periods
          (employee_id, user_id, project_id, project_name, location, start_date, end_date, assigned_at)
        select a.employee_id, a.user_id, p.id, p.name, p.location, p.start_date, p.end_date, a.assigned_at
        from project_assignments a join projects p on p.id = a.project_id`,
    },
    {
      name: 'invoices',
      table: 'invoices',
      sql: `insert into invoices (id, user_id, invoice_number, project_name, project_id, amount, issue_date, due_date,
          status, file_name, file_url, description, created_at, updated_at)
        select pg_temp.record_id(number, 3), user_id, invoice_number, name, id, amount, issued, issued + 30,
          case when pg_temp.chance(n, 41) < case when issued < ${today} - 45 then 0.96 else 0.2 end then 'Pagata' else 'Da Pagare' end,
          case when filed then invoice_number || '_fattura.pdf' end,
          case when filed then user_id || '/' || invoice_number || '_fattura.pdf' end,
          case when pg_temp.chance(n, 42) < 0.3 then 'Pernottamenti e pasti, ' || pg_temp.place(n) end, issued, issued
        from (
          -- Their numbers rise with the day of issue, as ids do in use; who they go to is mixed.
          select n, number, owned.*, ${today} - 1080 + (number * 1090 / ${size.invoices})::int as issued,
            round((80 + power(pg_temp.chance(n, 43), 3) * 20000)::numeric, 2) as amount, pg_temp.chance(n, 44) < 0.8 as filed,
            'FAT' || (extract(epoch from ${today} - 1080) * 1000 + number * (94176000000 / ${size.invoices}))::bigint
              || upper(left(md5('invoice ' || n), 8)) as invoice_number
          from (
            select n, row_number() over (order by pg_temp.chance(n, 45)) as number,
              pg_temp.account_id(${owner(large.invoices, 40)}) as customer
            from generate_series(1, ${size.invoices}) n
          ) numbered
          join owners on owners.user_id = numbered.customer
          join owned on owned.user_id = numbered.customer
            and owned.place = floor(pg_temp.chance(n, 46) * owners.places)::bigint
          order by number
        ) drawn`,
    },
    {
      name: 'invoice events',
      table: 'invoice_events',
      sql: `insert into invoice_events (invoice_number, user_id, at, actor_id, action)
        select invoice_number, user_id, created_at, pg_temp.account_id(-1), 'created' from invoices`,
    },
    {
      name: 'trip requests',
      table: 'trip_requests',
      sql: `insert into trip_requests (id, user_id, state, city, position, start_date, end_date, project_id, project_name, reason,
          people, accommodation, accommodation_preference, rooms_single, rooms_double, rooms_suite, breakfast, laundry,
          parking, kitchen, budget, priority, phone, email, created_at, updated_at)
        select pg_temp.record_id(n, 4), owned.user_id,
          case when n > ${size.requests} * 0.97 then pg_temp.pick('{Inviata,In lavorazione,Proposta inviata}', n, 51)
            else pg_temp.pick('{Confermata,Confermata,Confermata,Annullata}', n, 52) end,
          pg_temp.place(n), 'Via del Cantiere ' || n % 200, sent + 21, sent + 60, owned.id, owned.name, 'Squadra in trasferta',
          1 + floor(pg_temp.chance(n, 53) * 30)::int, 'entrambi', 'nessuna preferenza', 2, 4, 0, 'necessario', 'preferibile',
          'preferibile', 'non necessario', 80, 'costo', '+39 02 1234567', 'cantiere@example.com', sent, sent
        from generate_series(1, ${size.requests}) n
        cross join lateral (select ${today} - 1000 + (n * 1000 / ${size.requests})::int as sent,
          pg_temp.account_id(1 + floor(${size.customers} * pg_temp.chance(n, 50))::bigint) as customer) drawn
        join owners on owners.user_id = customer
        join owned on owned.user_id = customer and owned.place = floor(pg_temp.chance(n, 54) * owners.places)::bigint`,
    },
    {
      name: 'trip request events',
      table: 'trip_request_events',
      sql: `insert into trip_request_events (trip_request_id, user_id, at, actor_id, state)
        select id, user_id, created_at, user_id, 'Inviata' from trip_requests`,
    },
    {
      name: 'totals',
      table: null,
      sql: `update projects set spent_to_date = sums.amount
          from (select project_id, sum(amount) as amount from invoices group by project_id) sums
          where sums.project_id = projects.id;
        select recount();
        select setval('projects_seq', ${size.projects}), setval('employees_seq', ${size.employees}),
          setval('invoices_seq', ${size.invoices}), setval('trip_requests_seq', ${size.requests})`,
    },
  ];
}

/**
 * Loads a dataset into a migrated database without accounts, in one transaction, then brings its statistics up to date.
 *
 * @param databaseUrl connection URL of the owner of the tables
 * @throws {StartError} if accounts exist
 */
export async function loadDataset(
  databaseUrl: string,
  size: DatasetSize,
  onProgress: OnProgress = () => {},
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select from profiles limit 1');
    if (rows.length > 0) throw new StartError('the database has accounts: a dataset goes into an empty one');
    const steps = stepsOf(size, await hashPassword(DATASET_PASSWORD));
    await client.query("set maintenance_work_mem = '256MB'; set work_mem = '128MB'");
    await client.query(`begin; ${HELPERS}`);
    for (const [index, { name, table, sql }] of steps.entries()) {
      onProgress(name, index, steps.length + 1);
      if (table === null) await client.query(sql);
      else await fill(client, table, sql);
    }
    await client.query('commit');
    onProgress('statistics', steps.length, steps.length + 1);
    const tables = steps.flatMap(({ table }) => table ?? []);
    await client.query(
      `vacuum analyze ${tables.join(', ')}, invoice_totals, invoice_day_totals, invoice_month_totals,
        unpaid_invoice_totals, unpaid_invoice_month_totals`,
    );
    onProgress('dataset', steps.length + 1, steps.length + 1);
  } finally {
    await client.end();
  }
}

/** Runs an insert without indexes, and without the row triggers whose work the dataset does once at the end. */
async function fill(client: Client, table: string, insert: string): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  await client.query(`alter table ${table} disable trigger user`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(insert);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(`alter table ${table} enable trigger user`);
  await client.query(`analyze ${table}`);
}

if (import.meta.main) {
  await runCommand(async () => {
    const size = Object.entries(SIZES).find(([name]) => name === process.argv[2])?.[1];
    if (!size) throw new StartError('name a size: npm run bench:dataset -- S, M or L');
    await withDatabaseAlone(readEnv(), async (databaseUrl) => {
      await migrate(databaseUrl);
      await loadDataset(databaseUrl, size, progressBar());
      console.log('The dataset is loaded');
    });
  });
}
