/**
 * `npm run bench:api -- S M L`: the most used routes at each size, 32 connections for some seconds each. Each route is measured
 * at all sizes before the next, so that sizes are compared under the same circumstances. Reads alternate with their floor
 * (bench/floor.ts), once with unnamed statements, which is how `pg` sends them by default, and once with the application's names,
 * so that they are planned once.
 * Missing datasets are created in `DATA_DIR/bench-<size>`; what a measurement writes is removed again.
 *
 *   --seconds 3     how long each measurement of throughput lasts, all its turns together
 *   --requests 100  a fixed number of requests instead, on a machine that others use too
 *   --routes text   only routes whose name contains the text
 *   --workers 1     processes of the server
 *   --minutes 10    instead of all that: read for so many minutes and report the memory
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

/** Name of the measurement of files, which `--routes` can choose like a route. */
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
/** Stops everything, once: an interruption calls it, and so does the measurement that then fails. */
const stop = () => {
  stopped ??= (async () => {
    for (const world of worlds) await world.stop();
    floor.stop();
    generator.stop();
  })();
  return stopped;
};
// Otherwise the PostgreSQL of each size would keep running.
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
