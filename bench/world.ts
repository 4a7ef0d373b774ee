import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { createApp } from '#server/app.ts';
import { startEmbeddedPostgres } from '#server/db/embedded.ts';
import { encodeCursor } from '#server/db/keyset.ts';
import { migrate } from '#server/db/migrate.ts';
import { freePort } from '#server/db/postmaster.ts';
import { readEnv } from '#server/env.ts';
import { startServices } from '#server/services.ts';
import { createVisitor } from '#server/testing/client.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/process.ts';
import { DATASET_ADMIN, DATASET_PASSWORD, loadDataset, SIZES } from './dataset.ts';

/** Connections of a measurement, unless its route uses fewer. */
export const CONNECTIONS = 32;

/** As in `npm start`. */
const NODE_OPTIONS = ['--min-semi-space-size=16'];
/** Approximate size of the measured customer: with fewer records, a page of S would not be full. */
const ALIKE = { projects: 50, employees: 400, invoices: 200 };
const AUTH_SECRET = 'a secret of the benchmarks, of at least 32 characters';

export type Who = 'customer' | 'large' | 'office' | 'admin';
export type Size = keyof typeof SIZES;

/** A dataset with a server on it, and sample records for the requests. */
export type World = {
  size: Size;
  /** Processes of the server. */
  workers: number;
  databaseUrl: string;
  postmaster: number;
  owner: Client;
  app: ReturnType<typeof createApp>;
  server: ServerProcess;
  identifiers: Record<Who, string>;
  samples: {
    deep: string;
    number: string;
    fragment: string;
    numbers: string[];
    userId: string;
    projectId: number;
  };
  /** Where the file of the sample invoice is: each upload puts another one in its place. */
  filePath(): Promise<string>;
  stop(): Promise<void>;
};

/** Starts a server on the dataset of a size, and creates the dataset if it is missing. */
export async function openWorld(size: Size, workers: number): Promise<World> {
  const dataDir = join(readEnv().dataDir, `bench-${size}`);
  const postgres = await startEmbeddedPostgres({ dataDir });
  const databaseUrl = postgres.ownerUrl;
  await migrate(databaseUrl);
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  const one = async (sql: string) => (await owner.query(sql)).rows[0];
  if (!(await one('select from profiles limit 1'))) {
    console.log(`Loading ${size}…`);
    await loadDataset(databaseUrl, SIZES[size]);
  }
  const port = await freePort();
  const variables = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET,
    DEMO: 'off',
    WORKERS: String(workers),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  };
  const server = await startServerProcess(variables, { nodeOptions: NODE_OPTIONS });
  const env = readEnv({ ...variables, PUBLIC_URL: server.origin });
  const services = await startServices({ ...env, databaseUrl, authSecret: AUTH_SECRET });
  // The server runs the jobs.
  await services.jobs.stop();
  const deep = await one(
    `select issue_date::text as value, id::float8 as id from invoices
     order by issue_date desc, id desc offset ${Math.floor(SIZES[size].invoices * 0.8)} limit 1`,
  );
  const filed = await one(
    `select invoice_number as number from invoices where file_url is not null order by id limit 1`,
  );
  const theirs = await one(
    `select user_id as "userId", projects.id::float8 as "projectId"
     from projects join profiles on profiles.id = user_id where username = 'cliente50' limit 1`,
  );
  // A customer of the same size in every dataset, so that the cost grows with the tables but not with the customer.
  const alike = await one(
    `select username from profiles
     join (select user_id, count(*) as projects from projects group by 1) p on p.user_id = profiles.id
     join (select user_id, count(*) as employees from employees group by 1) e on e.user_id = profiles.id
     join (select user_id, sum(count) as invoices from invoice_totals group by 1) i on i.user_id = profiles.id
     order by abs(ln(projects / ${ALIKE.projects}.0)) + abs(ln(employees / ${ALIKE.employees}.0))
       + abs(ln(invoices / ${ALIKE.invoices}.0)) limit 1`,
  );
  // A measurement changes each twice, back to its first state.
  const { rows: unpaid } = await owner.query(
    `select invoice_number as number from invoices where status = 'Da Pagare' order by id limit ${CONNECTIONS}`,
  );
  const postmaster = Number(
    (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  );
  return {
    size,
    workers,
    databaseUrl,
    postmaster,
    owner,
    app: createApp(services),
    server,
    identifiers: {
      customer: alike.username,
      large: 'cliente1',
      office: env.invoiceAdminEmail,
      admin: DATASET_ADMIN,
    },
    samples: {
      deep: encodeCursor(
        { name: 'issueDate', direction: 'desc', key: { expression: undefined as never, type: 'date' } },
        deep,
      ),
      number: filed.number,
      fragment: String(filed.number).slice(-6),
      numbers: unpaid.map(({ number }) => number),
      ...theirs,
    },
    async filePath() {
      const { rows } = await owner.query('select file_url as path from invoices where invoice_number = $1', [
        filed.number,
      ]);
      return join(dataDir, 'files', rows[0].path);
    },
    async stop() {
      await server.end('SIGTERM');
      await services.stop();
      await owner.query("delete from invoices where description = 'bench'");
      await owner.end();
      await postgres.stop();
    },
  };
}

/** Headers of a user who has just logged in: reads trust the cookie for a minute. */
export async function headersOf(
  { server, identifiers }: World,
  who: Who | null,
): Promise<Record<string, string>> {
  const visitor = createVisitor(server.origin);
  if (who === null) return { Origin: server.origin };
  const answer = await visitor.send('POST', '/api/auth/login', {
    identifier: identifiers[who],
    password: DATASET_PASSWORD,
    remember: false,
  });
  if (!answer.ok) throw new Error(`the login of ${identifiers[who]} was answered ${answer.status}`);
  return { Origin: server.origin, Cookie: visitor.cookies() };
}
