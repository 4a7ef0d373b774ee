/**
 * `npm run bench:dev`: how long a developer waits, in a fresh clone of the last commit, for the first start with installation
 * and build, a later start, build, check, and all tests. Exits with code 1 if something is over its budget.
 *
 *   --only start,check   some of start, build, check, test
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#server/db/postmaster.ts';
import { until } from '#server/testing/until.ts';
import { readArguments, requireKnown } from './arguments.ts';

/** Budgets, in seconds. */
const BUDGETS: Record<string, number> = { 'warm start': 2, check: 30, test: 600 };
const WARM_STARTS = 5;
/** Timeout of each step, in seconds. */
const PATIENCE = 1_800;

const STEPS = ['start', 'build', 'check', 'test'] as const;

const { values: options } = readArguments({
  options: { only: { type: 'string', default: STEPS.join(',') } },
});
const wanted = requireKnown('step', STEPS, options.only.split(','));
const folder = await mkdtemp(join(tmpdir(), 'trasvia-bench-dev-'));
const clone = join(folder, 'clone');
/** Variables for proxies and certificates; the clone gets nothing else of the environment. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ['PATH', 'HOME'].includes(name) || NETWORK.test(name)),
);
const measured: { what: string; seconds: number; budget: number | null; load: number }[] = [];

function run(
  program: string,
  args: string[],
  cwd: string,
  variables: Record<string, string> = {},
): ChildProcess {
  return spawn(program, args, {
    cwd,
    // The clone chooses its Node itself.
    env: { ...environment, LOG_LEVEL: 'silent', ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function finish(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with code ${code}`);
}

async function time(what: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  measured.push({ what, seconds, budget: BUDGETS[what] ?? null, load: Math.round(loadavg()[0] ?? 0) });
  console.log(`${what}: ${seconds} s`);
}

/** From the command to the first successful answer of /readyz. */
async function start(what: string): Promise<void> {
  const port = await freePort();
  const variables = { PORT: String(port), DATA_DIR: join(folder, 'data') };
  const child = run('npm', ['start', '--silent'], clone, variables);
  await time(what, async () => {
    const ready = async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until('the server to be ready', ready, PATIENCE);
    if (child.exitCode !== null) throw new Error('npm start ended by itself');
  });
  child.kill('SIGTERM');
  await once(child, 'exit');
}

try {
  await finish(run('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone], folder));
  await start('cold start, with installation and build');
  if (wanted.includes('start'))
    for (let count = 0; count < WARM_STARTS; count += 1) await start('warm start');
  for (const [name, args] of [
    ['build', ['run', 'build']],
    ['check', ['run', 'check']],
    ['test', ['test']],
  ] as const) {
    if (wanted.includes(name)) await time(name, () => finish(run('npm', ['--silent', ...args], clone)));
  }
  console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, Node ${process.version}`);
  console.table(measured);
  if (measured.some(({ seconds, budget }) => budget !== null && seconds > budget)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
