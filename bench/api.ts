/**
 * `npm run bench:api -- S M L`: the hot routes at each size, 32 connections for some seconds each, route after route over all
 * sizes, so that sizes are compared under the same circumstances. Beside each read, in turns with it, its floor
 * (bench/floor.ts): as `pg` sends statements unless it is told more, and with the names that the application gives them, so
 * that they are planned once.
 * Datasets are made where they are missing, in `DATA_DIR/bench-<size>`; what is written is removed again.
 *
 *   --seconds 3     how long each measurement of throughput lasts, all its turns together
 *   --requests 100  this many requests instead: where others use the machine, too
 *   --routes text   only routes whose name holds the text
 *   --workers 1     processes of the server
 *   --minutes 10    instead: reads for that long, and what the memory does meanwhile
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createApp } from '#server/app.ts';
import { startEmbeddedPostgres } from '#server/db/embedded.ts';
import { encodeCursor } from '#server/db/keyset.ts';
import { migrate } from '#server/db/migrate.ts';
import { freePort } from '#server/db/postmaster.ts';
import { readEnv } from '#server/env.ts';
import { startServices } from '#server/services.ts';
import { createVisitor } from '#server/testing/client.ts';
import { invoiceForm } from '#server/testing/invoice-form.ts';
import { median } from '#server/testing/median.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/process.ts';
import { DATASET_ADMIN, DATASET_PASSWORD, loadDataset, SIZES } from './dataset.ts';
import type { Answer, Statement } from './floor.ts';
import type { Answered, FreeLoad, FullLoad, Load, Request } from './generator.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    requests: { type: 'string' },
    routes: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
});
const SECONDS = Number(options.seconds);
/** An application and its floor are measured one after the other so many times, so that what else the machine does meets both. */
const TURNS = 3;
/**
 * How often, and for how many seconds, waiting is measured. Neighbours on the machine beneath make a processor a third slower
 * for a tenth of a second, every few seconds: at 70 % that is waited for long after. The middle of these turns is without it.
 */
const WAITING = { turns: 9, seconds: 0.7 };
/** Of the throughput; and of the time that the process of the server has. */
const LOAD = 0.7;
const CONNECTIONS = 32;
/** Requests before a read is measured: each of 20 connections decides at its sixth which plan it keeps. */
const WARM_UP = 256;
/** Requests of a measurement that writes, two on each connection, so that the dataset stays what it is. */
const WRITES = 64;
/** As in `npm start`. */
const NODE_OPTIONS = ['--min-semi-space-size=16'];
/** What "a customer" has, about: with less, a page of S would not be full. */
const ALIKE = { projects: 50, employees: 400, invoices: 200 };
/** What the addresses of 100 to 112 accounts hold: what grows with the tables is told from what grows with what is found. */
const A_HUNDRED: Record<Size, string> = { S: 'cliente', M: 'cliente1', L: 'cliente12' };
const AUTH_SECRET = 'a secret of the benchmarks, of at least 32 characters';

type Who = 'customer' | 'large' | 'office' | 'admin';
type Size = keyof typeof SIZES;

/** A dataset with a server on it, and records to ask for. */
type World = {
  size: Size;
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
  filePath: string;
  stop(): Promise<void>;
};

type Route = {
  name: string;
  who: Who | null;
  request: (world: World) => Request | Promise<Request>;
  /** Where each connection writes a record of its own. */
  each?: (world: World, connection: number) => Request[];
  connections?: number;
};

const json = { 'Content-Type': 'application/json' };
const multipart = async (form: FormData): Promise<Pick<Request, 'headers' | 'body'>> => {
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { 'Content-Type': type }, body: Buffer.from(await encoded.arrayBuffer()) };
};
const statusChange = (number: string | undefined, status: string): Request => ({
  method: 'PUT',
  path: '/api/admin/invoices/status',
  headers: json,
  body: JSON.stringify({ numbers: [number], status }),
});
const upload = async ({ samples }: World, bytes: number): Promise<Request> => {
  const form = new FormData();
  form.append('file', new File([pdfOf(bytes)], 'fattura.pdf', { type: 'application/pdf' }));
  return { method: 'PUT', path: `/api/admin/invoices/${samples.number}/file`, ...(await multipart(form)) };
};
const read = (name: string, who: Who, path: string | ((world: World) => string)): Route => ({
  name,
  who,
  request: (world) => ({ path: typeof path === 'string' ? path : path(world) }),
});

const ADMIN_INVOICES = '/api/admin/invoices';
const routes: readonly Route[] = [
  read("a customer's invoices", 'customer', '/api/invoices'),
  read("a large customer's invoices", 'large', '/api/invoices'),
  read('all invoices, first page', 'office', ADMIN_INVOICES),
  read('all invoices, deep page', 'office', ({ samples }) => `${ADMIN_INVOICES}?cursor=${samples.deep}`),
  read('all invoices, search', 'office', ({ samples }) => `${ADMIN_INVOICES}?search=${samples.fragment}`),
  read('all invoices, broad search', 'office', `${ADMIN_INVOICES}?search=montaggi`),
  read('all invoices, filter and total', 'office', `${ADMIN_INVOICES}?status=Da%20Pagare`),
  read('all invoices, overdue', 'office', `${ADMIN_INVOICES}?status=Scaduta`),
  read('projects with team', 'customer', '/api/projects'),
  read("a large customer's projects", 'large', '/api/projects'),
  read('team tab', 'customer', '/api/employees'),
  read("a large customer's team tab", 'large', '/api/employees'),
  read('dashboard', 'customer', '/api/dashboard'),
  read("a large customer's dashboard", 'large', '/api/dashboard'),
  read('users, first page', 'admin', '/api/users'),
  read('users, by e-mail', 'admin', ({ identifiers }) => `/api/users?search=${identifiers.customer}%40`),
  read('users, a hundred found', 'admin', ({ size }) => `/api/users?search=${A_HUNDRED[size]}`),
  read('users, by a common name', 'admin', '/api/users?search=rossi'),
  {
    name: 'login',
    who: null,
    request: ({ identifiers }) => ({
      method: 'POST',
      path: '/api/auth/login',
      headers: json,
      body: JSON.stringify({ identifier: identifiers.customer, password: DATASET_PASSWORD, remember: false }),
    }),
  },
  {
    name: 'invoice creation',
    who: 'office',
    request: async ({ samples: { userId, projectId } }) => ({
      method: 'POST',
      path: ADMIN_INVOICES,
      ...(await multipart(invoiceForm({ userId, projectId, description: 'bench' }))),
    }),
  },
  {
    name: 'status change',
    who: 'office',
    request: ({ samples }) => statusChange(samples.numbers[0], 'Pagata'),
    each: ({ samples }, connection) =>
      ['Pagata', 'Da Pagare'].map((status) => statusChange(samples.numbers[connection], status)),
  },
  { name: 'PDF upload, 1 MB', who: 'office', connections: 8, request: (world) => upload(world, 1_000_000) },
  read('PDF download, 1 MB', 'office', ({ samples }) => `${ADMIN_INVOICES}/${samples.number}/file`),
];

/** Statements of the request under way in this process. */
const recording = new AsyncLocalStorage<Statement[]>();

function recordStatements(): void {
  const send: (...input: unknown[]) => unknown = Client.prototype.query;
  Object.assign(Client.prototype, {
    query(this: Client, ...input: unknown[]) {
      const [query, values] = input;
      const statement = typeof query === 'string' ? { text: query, values } : query;
      if (isStatement(statement)) {
        const { name, text } = statement;
        recording
          .getStore()
          ?.push({ text, values: statement.values ?? arrayOf(values), ...(name && { name }) });
      }
      return send.apply(this, input);
    },
  });
}

function isStatement(query: unknown): query is { text: string; values?: unknown[]; name?: string } {
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string';
}

function arrayOf(values: unknown): unknown[] {
  return Array.isArray(values) ? values : [];
}

async function openWorld(size: Size): Promise<World> {
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
    WORKERS: options.workers,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  };
  const server = await startServerProcess(variables, { nodeOptions: NODE_OPTIONS });
  const env = readEnv({ ...variables, PUBLIC_URL: server.origin });
  const services = await startServices({ ...env, databaseUrl, authSecret: AUTH_SECRET });
  // The server has them; here nobody asks for any.
  await services.jobs.stop();
  const deep = await one(
    `select issue_date::text as value, id::float8 as id from invoices
     order by issue_date desc, id desc offset ${Math.floor(SIZES[size].invoices * 0.8)} limit 1`,
  );
  const filed = await one(
    `select invoice_number as number, file_url as path from invoices where file_url is not null order by id limit 1`,
  );
  const theirs = await one(
    `select user_id as "userId", projects.id::float8 as "projectId"
     from projects join profiles on profiles.id = user_id where username = 'cliente50' limit 1`,
  );
  // Of the same size in every dataset, so that what grows with the tables can be told from what grows with the customer.
  const alike = await one(
    `select username from profiles
     join (select user_id, count(*) as projects from projects group by 1) p on p.user_id = profiles.id
     join (select user_id, count(*) as employees from employees group by 1) e on e.user_id = profiles.id
     join (select user_id, sum(count) as invoices from invoice_totals group by 1) i on i.user_id = profiles.id
     order by abs(ln(projects / ${ALIKE.projects}.0)) + abs(ln(employees / ${ALIKE.employees}.0))
       + abs(ln(invoices / ${ALIKE.invoices}.0)) limit 1`,
  );
  // Each is changed twice by a measurement, and is then what it was.
  const { rows: unpaid } = await owner.query(
    `select invoice_number as number from invoices where status = 'Da Pagare' order by id limit ${CONNECTIONS}`,
  );
  const postmaster = Number(
    (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  );
  return {
    size,
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
    filePath: join(dataDir, 'files', filed.path),
    async stop() {
      await server.end('SIGTERM');
      await services.stop();
      await owner.query("delete from invoices where description = 'bench'");
      await owner.end();
      await postgres.stop();
    },
  };
}

/** Headers of somebody who has just logged in: the cookie that reads believe is good for a minute. */
async function headersOf({ server, identifiers }: World, who: Who | null): Promise<Record<string, string>> {
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

/** A process and those it started. */
async function familyOf(pid: number | undefined): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [Number(pid), ...children.trim().split(' ').filter(Boolean).map(Number)];
}

/** Resident memory of a server and its workers, in MB. */
async function memoryOf({ child: { pid } }: ServerProcess): Promise<number> {
  let kilobytes = 0;
  for (const id of await familyOf(pid)) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return kilobytes / 1000;
}

/** Processor time that processes and those they started have had so far, in ms: what others on the machine take is not in it. */
async function processorTimeOf(...pids: (number | undefined)[]): Promise<number> {
  let ticks = 0;
  for (const id of (await Promise.all(pids.map(familyOf))).flat()) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    // After the name: 11 fields further are user and system time, in hundredths of a second.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    ticks += user + system;
  }
  return ticks * 10;
}

/** Processor time that this machine wanted and the one that it runs on gave to others, in ms, since it was started. */
async function stolenTime(): Promise<number> {
  const [all = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n');
  return Number(all.split(/ +/)[8] ?? 0) * 10;
}

/** Requests a second, milliseconds until half and 99 % were answered, processor time of a request in ms. */
type Measured = { rate: number; p50: number; p99: number; processor: number; failed: number };

type Quantiles = Pick<Measured, 'p50' | 'p99'>;
type Waited = Quantiles & { busy: number; stolen: number };

function quantilesOf(waits: number[]): Quantiles {
  const sorted = waits.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

/** Where a request comes from that no connection brought. */
const INCOMING = {
  incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } },
};

/** What the application answers, and the statements it needs for it. */
async function record(world: World, request: Request) {
  const { method = 'GET', path, headers, body } = request;
  const statements: Statement[] = [];
  const answer = await recording.run(statements, () =>
    world.app.request(`${world.server.origin}${path}`, { method, headers, body }, INCOMING),
  );
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return { statements, body: await answer.text(), type: answer.headers.get('content-type') ?? '' };
}

async function startFloor() {
  const child = fork(join(import.meta.dirname, 'floor.ts'));
  const [port] = await once(child, 'message');
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async answerWith(answer: Answer) {
      child.send(answer);
      await once(child, 'message');
    },
    stop: () => child.kill(),
  };
}
type Floor = Awaited<ReturnType<typeof startFloor>>;

/** What the floor is asked for: it knows only one answer at a time. */
const BARE: Request = { path: '/' };

function startGenerator() {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { serialization: 'advanced' });
  const answered = async (load: Load): Promise<Answered> => {
    const settled = new AbortController();
    const message = once(child, 'message', settled);
    const end = once(child, 'exit', settled).then(() => Promise.reject(new Error('the generator ended')));
    child.send(load);
    const [answer] = await Promise.race([message, end]).finally(() => settled.abort());
    return answer;
  };
  return {
    /**
     * As many requests as are answered.
     * @param pids whose processor time counts
     */
    async fire(origin: string, full: FullLoad, pids: (number | undefined)[] = []): Promise<Measured> {
      const before = await processorTimeOf(...pids);
      const { requests, seconds, failed, waits } = await answered({ origin, full });
      const processor = ((await processorTimeOf(...pids)) - before) / requests;
      return { rate: requests / seconds, processor, failed, ...quantilesOf(waits) };
    },
    /**
     * So many requests a second.
     * @returns how long each answer took and what was stolen meanwhile, in milliseconds, and what part of the time the process
     * `pid` was at work
     */
    async fireFreely(origin: string, free: FreeLoad, pid: number | undefined): Promise<Waited> {
      const stolen = await stolenTime();
      const worked = await processorTimeOf(pid);
      const begin = performance.now();
      const { failed, waits } = await answered({ origin, free });
      if (failed > 0) throw new Error(`${free.request.path} was refused ${failed} times`);
      const busy = ((await processorTimeOf(pid)) - worked) / (performance.now() - begin);
      return { ...quantilesOf(waits), busy, stolen: (await stolenTime()) - stolen };
    },
    stop: () => child.kill(),
  };
}
type Generator = ReturnType<typeof startGenerator>;

const round = (value: number, digits = 0) => Number(value.toFixed(digits));

async function measureRoute(world: World, route: Route, floor: Floor, generator: Generator) {
  const { origin, child } = world.server;
  const { each, connections = CONNECTIONS } = route;
  const asked = await route.request(world);
  const reads = asked.method === undefined;
  let headers = await headersOf(world, route.who);
  const withSession = (request: Request) => ({ ...request, headers: { ...request.headers, ...headers } });
  const recorded = await record(world, withSession(asked));
  const load = () => ({
    request: withSession(asked),
    connections,
    ...(each && {
      each: Array.from({ length: connections }, (_, connection) => each(world, connection).map(withSession)),
    }),
  });
  await generator.fire(origin, { ...load(), amount: reads ? WARM_UP : WRITES });
  // V8 takes its time, too, with what it has just begun to run.
  if (reads) await generator.fire(origin, { ...load(), seconds: SECONDS });
  const fireApplication = (amount: number | null) =>
    generator.fire(origin, { ...load(), ...howMany(amount) }, [child.pid, world.postmaster]);
  const row = async (own: Measured) => ({
    route: route.name,
    size: world.size,
    'req/s': round(own.rate, own.rate < 10 ? 1 : 0),
    p50: round(own.p50, 1),
    p99: round(own.p99, 1),
    'CPU ms': round(own.processor, 2),
    queries: recorded.statements.length,
    MB: round(await memoryOf(world.server)),
    failed: own.failed,
  });
  if (!reads) return row(await fireApplication(WRITES));

  const named = recorded.statements;
  const unnamed = named.map(({ text, values }) => ({ text, values }));
  const answerWith = (statements: Statement[]) => {
    const file = recorded.type === 'application/pdf' ? world.filePath : null;
    return floor.answerWith({ databaseUrl: world.databaseUrl, ...recorded, statements, file });
  };
  const bare = { request: BARE, connections };
  for (const statements of [unnamed, named]) {
    await answerWith(statements);
    await generator.fire(floor.origin, { ...bare, amount: WARM_UP });
  }
  const fireFloor = async (statements: Statement[]) => {
    await answerWith(statements);
    return generator.fire(floor.origin, { ...bare, ...howMany(null) }, [floor.pid, world.postmaster]);
  };
  const full = await inTurns(TURNS, async () => ({
    own: await fireApplication(null),
    below: await fireFloor(unnamed),
    planned: await fireFloor(named),
  }));
  const own = middleOf(full.map((turn) => turn.own));
  const below = middleOf(full.map((turn) => turn.below));
  const planned = middleOf(full.map((turn) => turn.planned));

  // The cookie that a read believes is good for a minute.
  headers = await headersOf(world, route.who);
  await answerWith(named);
  const ask = (rate: number) =>
    generator.fireFreely(
      origin,
      { request: withSession(asked), connections, rate, seconds: WAITING.seconds },
      child.pid,
    );
  const at70 = await inTurns(WAITING.turns, async () => ({
    own: await ask(own.rate * LOAD),
    // What the machine itself adds: three programs share its processors, and perhaps others do.
    floor: await generator.fireFreely(
      floor.origin,
      { request: BARE, connections, rate: planned.rate * LOAD, seconds: WAITING.seconds },
      floor.pid,
    ),
  }));
  const ownAt70 = at70.map((turn) => turn.own);
  const floorAt70 = at70.map((turn) => turn.floor);
  const busyAt70 = median(ownAt70.map(({ busy }) => busy)) / Number(options.workers);
  // What comes at random costs more than what comes in numbers: at 70 % of the throughput a process may be busier than that.
  const at70Busy =
    busyAt70 > LOAD ? await inTurns(WAITING.turns, () => ask((own.rate * LOAD * LOAD) / busyAt70)) : ownAt70;
  const tail = (turns: Quantiles[]) => round(median(turns.map(({ p50, p99 }) => p99 / p50)), 1);
  const stolen = (turns: { stolen: number }[]) => turns.reduce((sum, turn) => sum + turn.stolen, 0);
  return {
    ...(await row(own)),
    floor: round(below.rate, below.rate < 10 ? 1 : 0),
    'of floor': round(own.rate / below.rate, 2),
    'of floor, by CPU': round(below.processor / own.processor, 2),
    'of planned floor': round(planned.processor / own.processor, 2),
    'p50 at 70 %': round(median(ownAt70.map(({ p50 }) => p50)), 1),
    'p99/p50 at 70 %': tail(ownAt70),
    "floor's p99/p50 at 70 %": tail(floorAt70),
    'busy at 70 %': round(busyAt70, 2),
    'p99/p50, at most 70 % busy': tail(at70Busy),
    'stolen, ms': stolen(ownAt70),
    "floor's stolen, ms": stolen(floorAt70),
    load: round(loadavg()[0] ?? 0, 1),
  };
}

/** How long one turn of a measurement is; `amount` where it is told. */
function howMany(amount: number | null): { amount: number } | { seconds: number } {
  const told = amount ?? (options.requests ? Number(options.requests) : null);
  return told === null ? { seconds: SECONDS / TURNS } : { amount: told };
}

/** What each turn of a measurement gave. */
async function inTurns<Turn>(number: number, turn: () => Promise<Turn>): Promise<Turn[]> {
  const turns: Turn[] = [];
  while (turns.length < number) turns.push(await turn());
  return turns;
}

/** The middle of several turns, figure by figure. */
function middleOf(turns: Measured[]): Measured {
  const of = (figure: keyof Measured) => median(turns.map((turn) => turn[figure]));
  return {
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    processor: of('processor'),
    failed: turns.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** What it is called among the routes. */
const FILES = '16 files of 10 MB at once';

/** What many 10 MB files at once add to the memory of the server. */
async function measureFiles(world: World, generator: Generator) {
  const headers = await headersOf(world, 'office');
  const asked = await upload(world, 10_000_000);
  const request = { ...asked, headers: { ...asked.headers, ...headers } };
  const rows = [];
  for (const [what, sent, amount] of [
    ['16 uploads of 10 MB at once', request, 32],
    ['16 downloads of 10 MB at once', { path: request.path, headers }, 96],
  ] as const) {
    const before = await memoryOf(world.server);
    let most = before;
    const watch = setInterval(async () => {
      most = Math.max(most, await memoryOf(world.server));
    }, 50);
    const { rate, failed } = await generator.fire(world.server.origin, {
      request: sent,
      connections: 16,
      amount,
    });
    clearInterval(watch);
    rows.push({
      size: world.size,
      what,
      'req/s': round(rate, 1),
      'MB before': round(before),
      'MB added': round(most - before),
      failed,
    });
  }
  return rows;
}

/** Reads in turn for a long time, and the memory at each tenth of it. */
async function measureMemory(world: World, minutes: number, generator: Generator) {
  const reads = routes.filter(
    ({ name, who }) => who !== null && /invoices|projects|team|dashboard/.test(name),
  );
  const rows = [];
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    let done = 0;
    const end = performance.now() + minutes * 6_000;
    for (let turn = 0; performance.now() < end; turn += 1) {
      const route = reads[turn % reads.length];
      if (!route || /broad/.test(route.name)) continue;
      const request = await route.request(world);
      const headers = await headersOf(world, route.who);
      const { rate } = await generator.fire(world.server.origin, {
        request: { ...request, headers },
        connections: CONNECTIONS,
        seconds: 2,
      });
      done += rate * 2;
    }
    rows.push({
      size: world.size,
      minute: round((tenth * minutes) / 10, 1),
      requests: round(done),
      MB: round(await memoryOf(world.server)),
    });
  }
  return rows;
}

/** How much longer half of the answers take at each size than at the first, and how much more processor time they cost. */
function growth(
  rows: { route: string; size: Size; p50: number; 'CPU ms': number }[],
  [first, ...others]: Size[],
) {
  return routes.flatMap(({ name }) => {
    const base = rows.find(({ route, size }) => route === name && size === first);
    if (!base) return [];
    const ratios = others.flatMap((other) => {
      const row = rows.find(({ route, size }) => route === name && size === other);
      return row
        ? [
            [`${other}/${first} p50`, round(row.p50 / Math.max(1, base.p50), 2)],
            [`${other}/${first} CPU`, round(row['CPU ms'] / Math.max(0.01, base['CPU ms']), 2)],
          ]
        : [];
    });
    return [{ route: name, ...Object.fromEntries(ratios) }];
  });
}

const sizes = (positionals.length > 0 ? positionals : ['S']).filter((name): name is Size => name in SIZES);
recordStatements();
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} processors, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
);
const worlds: World[] = [];
const floor = await startFloor();
const generator = startGenerator();
let stopped: Promise<void> | undefined;
/** Once, though whoever interrupts it has the measurement fail, too. */
const stop = () => {
  stopped ??= (async () => {
    for (const world of worlds) await world.stop();
    floor.stop();
    generator.stop();
  })();
  return stopped;
};
// Each size has a PostgreSQL of its own, which nobody else would end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop().finally(() => process.exit(1)));
}
try {
  for (const size of sizes) worlds.push(await openWorld(size));
  if (options.minutes) {
    for (const world of worlds) console.table(await measureMemory(world, Number(options.minutes), generator));
  } else {
    const rows = [];
    for (const world of worlds)
      await generator.fire(world.server.origin, { request: await warmUp(world), connections: 1, amount: 1 });
    for (const route of routes.filter(({ name }) => name.includes(options.routes))) {
      for (const world of worlds) {
        const row = await measureRoute(world, route, floor, generator);
        rows.push(row);
        console.log(JSON.stringify(row));
      }
    }
    console.table(rows);
    if (sizes.length > 1) console.table(growth(rows, sizes));
    if (FILES.includes(options.routes))
      for (const world of worlds) console.table(await measureFiles(world, generator));
  }
} finally {
  await stop();
}

/** Gives the sample invoice its file. */
async function warmUp(world: World): Promise<Request> {
  const request = await upload(world, 1_000_000);
  return { ...request, headers: { ...request.headers, ...(await headersOf(world, 'office')) } };
}
