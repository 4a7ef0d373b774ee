import { loadavg } from 'node:os';
import { median } from '#server/testing/median.ts';
import type { Statement } from './floor.ts';
import type { Arrivals, Request } from './generator.ts';
import type { Floor, Generator, Measured, Quantiles } from './load-programs.ts';
import { memoryOf } from './process-figures.ts';
import { ADMIN_INVOICES, type Route, routes, upload } from './routes.ts';
import { record } from './statement-recording.ts';
import { CONNECTIONS, headersOf, type Size, type World } from './world.ts';

/** How often application and floor are measured alternately, so that other load on the machine affects both alike. */
const TURNS = 3;
/**
 * How often, and for how many seconds, latency is measured. Every few seconds other virtual machines on the host slow a
 * processor by a third for a tenth of a second, and at 70 % load the queue takes long to drain. The median of these turns
 * excludes that.
 */
const WAITING = { turns: 9, seconds: 0.7 };
/** Load for measuring latency, as a share of the throughput; also the most that the server process may be busy then. */
const LOAD = 0.7;
/** Requests before a read is measured: each of 20 connections chooses its cached plan at the sixth execution. */
const WARM_UP = 256;
/** Requests of a measurement that writes, two per connection, so that the dataset stays the same. */
const WRITES = 64;
/** With these a process has done most of its growing: 162 MB became 264, and 268 after as many again. */
const READS_BEFORE_FILES = 3_000;

/** Duration of a measurement of throughput, all turns together, or the number of requests of each turn. */
export type Pace = { seconds: number; requests: number | null };

type LoadPrograms = { floor: Floor; generator: Generator };

/** The request to the floor: any path, because it has only one answer at a time. */
const BARE: Request = { path: '/' };

const round = (value: number, digits = 0) => Number(value.toFixed(digits));

/** One row of the table: a route at one size, and for a read also its floor. */
export async function measureRoute(
  world: World,
  route: Route,
  { floor, generator }: LoadPrograms,
  pace: Pace,
) {
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
  // V8 needs time to optimise the code.
  if (reads) await generator.fire(origin, { ...load(), seconds: pace.seconds });
  const fireApplication = (turn: { amount: number } | { seconds: number }) =>
    generator.fire(origin, { ...load(), ...turn }, [child.pid, world.postmaster]);
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
  if (!reads) return row(await fireApplication({ amount: WRITES }));

  const named = recorded.statements;
  const unnamed = named.map(({ text, values }) => ({ text, values }));
  const file = recorded.type === 'application/pdf' ? await world.filePath() : null;
  const answerWith = (statements: Statement[]) => {
    return floor.answerWith({ databaseUrl: world.databaseUrl, ...recorded, statements, file });
  };
  const bare = { request: BARE, connections };
  for (const statements of [unnamed, named]) {
    await answerWith(statements);
    await generator.fire(floor.origin, { ...bare, amount: WARM_UP });
  }
  const fireFloor = async (statements: Statement[]) => {
    await answerWith(statements);
    return generator.fire(floor.origin, { ...bare, ...turnOf(pace) }, [floor.pid, world.postmaster]);
  };
  const full = await inTurns(TURNS, async () => ({
    own: await fireApplication(turnOf(pace)),
    below: await fireFloor(unnamed),
    planned: await fireFloor(named),
  }));
  const own = middleOf(full.map((turn) => turn.own));
  const below = middleOf(full.map((turn) => turn.below));
  const planned = middleOf(full.map((turn) => turn.planned));

  // Reads trust a session cookie for one minute only.
  headers = await headersOf(world, route.who);
  await answerWith(named);
  const { seconds } = WAITING;
  const ask = (rate: number, arrivals: Arrivals = 'random') =>
    generator.fireFreely(
      origin,
      { request: withSession(asked), connections, rate, seconds, arrivals },
      child.pid,
    );
  // Shows what the machine adds: three programs of the measurement, and perhaps others, share its processors.
  const askFloor = (rate: number, arrivals: Arrivals) =>
    generator.fireFreely(floor.origin, { request: BARE, connections, rate, seconds, arrivals }, floor.pid);
  const at70 = await inTurns(WAITING.turns, async () => ({
    own: await ask(own.rate * LOAD),
    floor: await askFloor(planned.rate * LOAD, 'random'),
    ownEvenly: await ask(own.rate * LOAD, 'even'),
    floorEvenly: await askFloor(planned.rate * LOAD, 'even'),
  }));
  const ownAt70 = at70.map((turn) => turn.own);
  const floorAt70 = at70.map((turn) => turn.floor);
  const busyAt70 = median(ownAt70.map(({ busy }) => busy)) / world.workers;
  // Requests at random times cost more than back to back: at 70 % of the throughput a process may be busier than 70 %.
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
    'p99/p50 at 70 %, evenly': tail(at70.map((turn) => turn.ownEvenly)),
    "floor's p99/p50 at 70 %, evenly": tail(at70.map((turn) => turn.floorEvenly)),
    'busy at 70 %': round(busyAt70, 2),
    'p99/p50, at most 70 % busy': tail(at70Busy),
    'stolen, ms': stolen(ownAt70),
    "floor's stolen, ms": stolen(floorAt70),
    load: round(loadavg()[0] ?? 0, 1),
  };
}

/** The length of one turn of a measurement. */
function turnOf({ seconds, requests }: Pace): { amount: number } | { seconds: number } {
  return requests === null ? { seconds: seconds / TURNS } : { amount: requests };
}

/** Runs `turn` that many times in sequence and returns the results. */
async function inTurns<Turn>(number: number, turn: () => Promise<Turn>): Promise<Turn[]> {
  const turns: Turn[] = [];
  while (turns.length < number) turns.push(await turn());
  return turns;
}

/** The median of several turns for each figure; failures are summed. */
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

/**
 * Memory that many concurrent 10 MB files add to the server. A process that has just started grows by a hundred MB with
 * whatever it answers first (its young generation, compiled code, connections), so it answers other requests before.
 */
export async function measureFiles(world: World, generator: Generator) {
  const headers = await headersOf(world, 'office');
  await generator.fire(world.server.origin, {
    request: { path: ADMIN_INVOICES, headers },
    connections: CONNECTIONS,
    amount: READS_BEFORE_FILES,
  });
  const asked = await upload(world, 10_000_000);
  const request = { ...asked, headers: { ...asked.headers, ...headers } };
  const rows = [];
  for (const [what, sent, amount] of [
    ['16 uploads of 10 MB at once', request, 32],
    ['16 downloads of 10 MB at once', { path: request.path, headers }, 96],
  ] as const) {
    const before = await memoryOf(world.server);
    let peak = before;
    const watch = setInterval(async () => {
      peak = Math.max(peak, await memoryOf(world.server));
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
      'MB added': round(peak - before),
      failed,
    });
  }
  return rows;
}

/** Sends the reads in turn for some minutes and returns the memory at each tenth of the time. */
export async function measureMemory(world: World, minutes: number, generator: Generator) {
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

/** The median latency and the processor time per request at each size, relative to the first size. */
export function growth(
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

/** The request that gives the sample invoice its file. */
export async function warmUp(world: World): Promise<Request> {
  const request = await upload(world, 1_000_000);
  return { ...request, headers: { ...request.headers, ...(await headersOf(world, 'office')) } };
}
