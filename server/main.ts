/**
 * The server: `node server/main.ts`, or `npm start`, which also installs and builds. It starts PostgreSQL if that is
 * embedded, migrates, and serves from this process or from `WORKERS` others. At SIGTERM, SIGINT or SIGHUP it releases
 * everything in reverse order.
 */
import { provider } from '#provider';
import { prepareDataDir } from '#server/data-dir.ts';
import { startEmbeddedPostgres } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { type Env, readEnv, resolveAuthSecret, type ServingEnv } from '#server/env.ts';
import { close, expectFreeAddress, listen } from '#server/http/listen.ts';
import { loadApplication } from '#server/load.ts';
import { type RunningProcess, runProcess } from '#server/process.ts';
import { serve } from '#server/serve.ts';

await runProcess(async (running) => {
  const env = readEnv();
  // Checked before PostgreSQL starts, so that the most common mistake is reported at once.
  await expectFreeAddress(env);
  await (env.workers === 1 ? serveAlone(env, running) : serveFromWorkers(env, running));
  if (!running.ending.aborted) announce(env);
});

async function serveAlone(env: Env, running: RunningProcess): Promise<void> {
  const [prepared, application] = await Promise.all([prepare(env, running), loadApplication()]);
  const { metrics } = await serve(application, { env: prepared, first: true }, running.resources);
  await startMetrics(env, running, () => metrics.text());
}

/** This process only runs the database and the workers; it does not load the application. */
async function serveFromWorkers(env: Env, running: RunningProcess): Promise<void> {
  const { startWorkers } = await import('#server/workers.ts');
  // The workers load the application while the database starts, and end before it stops.
  const workers = startWorkers(env.workers, running.ended);
  const prepared = await prepare(env, running).finally(() => running.resources.defer(() => workers.stop()));
  await workers.serve(prepared);
  await startMetrics(env, running, async () => {
    const { textOf } = await import('#server/http/metrics.ts');
    return textOf(await workers.figures());
  });
}

/** Migrates the database and resolves the secret. @throws when stopping has begun meanwhile */
async function prepare(env: Env, running: RunningProcess): Promise<ServingEnv> {
  const databaseUrl = env.databaseUrl ?? (await startOwnDatabase(env.dataDir, running));
  // With an external database the folder is first used by an upload or a message.
  if (env.databaseUrl !== null) await prepareDataDir(env.dataDir);
  const migrated = await migrate(databaseUrl, { signal: running.ending });
  for (const name of migrated) console.log(`Migrated the database: ${name}`);
  running.ending.throwIfAborted();
  const authSecret = env.authSecret ?? (await resolveAuthSecret(env.dataDir));
  return { ...env, databaseUrl, authSecret };
}

async function startOwnDatabase(
  dataDir: string,
  { resources, fail, ending }: RunningProcess,
): Promise<string> {
  const log = (line: string) => console.log(line);
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: fail, signal: ending });
  resources.defer(() => postgres.stop());
  return postgres.ownerUrl;
}

/** Metrics are for a collector on this machine, so they are served on the loopback interface whatever HOST is. */
async function startMetrics(
  { metricsPort }: Env,
  { resources }: RunningProcess,
  text: () => Promise<string>,
): Promise<void> {
  if (metricsPort === null) return;
  const { createMetricsServer } = await import('#server/http/metrics.ts');
  const server = createMetricsServer(text);
  await listen(server, { host: '127.0.0.1', port: metricsPort }, 'METRICS_PORT');
  resources.defer(() => close(server));
}

function announce({ publicUrl, host, port, workers, demo, invoiceAdminEmail }: Env): void {
  const processes = workers === 1 ? '' : `, ${workers} processes`;
  console.log(`${provider.name} runs at ${publicUrl} (${host}, port ${port}${processes})`);
  if (!demo) return;
  console.log('Log in with a demo account (user name / password):');
  for (const { username, password, purpose } of demoAccounts(invoiceAdminEmail))
    console.log(`  ${username} / ${password}  ${purpose}`);
}
