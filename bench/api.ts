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
import { availableParallelism, cpus, loadavg } from 'node:os';
import { readArguments, requireKnown, requireNumber } from './arguments.ts';
import { SIZES } from './dataset.ts';
import { startFloor, startGenerator } from './load-programs.ts';
import { growth, measureFiles, measureMemory, measureRoute, type Pace, warmUp } from './measurements.ts';
import { routes } from './routes.ts';
import { recordStatements } from './statement-recording.ts';
import { openWorld, type Size, type World } from './world.ts';

const { values: options, positionals } = readArguments({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    requests: { type: 'string' },
    routes: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
});

/** What it is called among the routes. */
const FILES = '16 files of 10 MB at once';

const sizes = requireKnown(
  'size',
  Object.keys(SIZES) as Size[],
  positionals.length > 0 ? positionals : ['S'],
);
const names = [...routes.map(({ name }) => name), FILES];
const named = names.filter((name) => name.includes(options.routes));
const wanted = requireKnown('route', names, named.length > 0 ? named : [options.routes]);
const pace: Pace = {
  seconds: requireNumber('seconds', options.seconds),
  requests: options.requests === undefined ? null : requireNumber('requests', options.requests),
};
const workers = requireNumber('workers', options.workers);
const minutes = options.minutes === undefined ? null : requireNumber('minutes', options.minutes);
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
  for (const size of sizes) worlds.push(await openWorld(size, workers));
  if (minutes !== null) {
    for (const world of worlds) console.table(await measureMemory(world, minutes, generator));
  } else {
    const rows = [];
    for (const world of worlds)
      await generator.fire(world.server.origin, { request: await warmUp(world), connections: 1, amount: 1 });
    for (const route of routes.filter(({ name }) => wanted.includes(name))) {
      for (const world of worlds) {
        const row = await measureRoute(world, route, { floor, generator }, pace);
        rows.push(row);
        console.log(JSON.stringify(row));
      }
    }
    console.table(rows);
    if (sizes.length > 1) console.table(growth(rows, sizes));
    if (wanted.includes(FILES))
      for (const world of worlds) console.table(await measureFiles(world, generator));
  }
} finally {
  await stop();
}
