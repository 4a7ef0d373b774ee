/**
 * The server process: `node server/main.ts`, or `npm start`, which also installs and builds. It starts PostgreSQL where
 * that is embedded, migrates, listens, and at SIGTERM, SIGINT or SIGHUP lets go of everything in the opposite order.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { provider } from '#provider';
import type { DemoAccount } from '#server/auth/demo.ts';
import { errorCode } from '#server/data-dir.ts';
import { startEmbeddedPostgres } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Env, readEnv, resolveAuthSecret } from '#server/env.ts';
import { type Application, loadApplication } from '#server/load.ts';
import type { Services } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';

/** How long requests under way may go on once the server was told to stop. */
const DRAIN_MS = 10_000;

/** How long stopping may take in all, before the process ends as it is; PostgreSQL then recovers at the next start. */
const STOP_MS = 30_000;

/** npm passes a Ctrl-C on that the terminal has already sent: only a later signal is a second one. */
const SAME_SIGNAL_MS = 1_000;

// What the server writes (files, messages, secrets) is for its own user alone.
process.umask(0o077);

const resources = new AsyncDisposableStack();
const { promise: ended, resolve: end } = Promise.withResolvers<void>();
listenToSignals();
process.on('uncaughtException', fail);
await start().catch(fail);
await ended;
await stop();

/** Starts everything; what was started is in `resources` even where a later step fails. */
async function start(): Promise<void> {
  const env = readEnv();
  // Before PostgreSQL, so that the commonest mistake is told at once.
  await expectFreeAddress(env);

  const [databaseUrl, application] = await Promise.all([openDatabase(env), loadApplication()]);
  const authSecret = env.authSecret ?? (await resolveAuthSecret(env.dataDir));
  const services = await application.startServices({ ...env, databaseUrl, authSecret });
  resources.defer(() => services.stop());
  if (env.demo) await application.ensureDemoAccounts(services);

  const server = application.createHttpServer(application.createApp(services).fetch);
  if (env.metricsPort !== null) await startMetrics(application, services, env.metricsPort);
  await listen(server, env);
  resources.defer(() => close(server));
  announce(env, env.demo ? application.demoAccounts(env.invoiceAdminEmail) : []);
  if (env.demo) furnishInBackground(services);
}

/** Metrics are for the machine's own collector: on the loopback alone, whatever HOST says. */
async function startMetrics({ createMetricsServer }: Application, { metrics }: Services, port: number) {
  const server = createMetricsServer(metrics);
  await listen(server, { host: '127.0.0.1', port }, 'METRICS_PORT');
  resources.defer(() => close(server));
}

/** Not waited for: nobody who starts the product waits for its example, and its failure ends nothing. */
function furnishInBackground(services: Services): void {
  const furnished = import('#server/demo/furnish.ts')
    .then(({ furnishDemo }) => furnishDemo(services))
    .catch((error: unknown) => {
      services.log.error({ err: error }, 'the demo customer could not be given a year of records');
    });
  resources.defer(() => furnished);
}

/** Connection of the owner of a database that is up to date. */
async function openDatabase(env: Env): Promise<string> {
  const databaseUrl = env.databaseUrl ?? (await startOwnDatabase(env.dataDir));
  for (const name of await migrate(databaseUrl)) console.log(`Migrated the database: ${name}`);
  return databaseUrl;
}

async function startOwnDatabase(dataDir: string): Promise<string> {
  const log = (line: string) => console.log(line);
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: fail });
  resources.defer(() => postgres.stop());
  return postgres.ownerUrl;
}

/** @throws {StartError} when the address cannot be had. */
async function expectFreeAddress(env: Env): Promise<void> {
  const probe = createTcpServer((socket) => socket.destroy());
  await listen(probe, env);
  probe.close();
  await once(probe, 'close');
}

/** @throws {StartError} when the address cannot be had. */
async function listen(
  server: TcpServer,
  { host, port }: Pick<Env, 'host' | 'port'>,
  variable = 'PORT',
): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    const problem =
      code === 'EADDRINUSE'
        ? `${variable} ${port} of ${host} is taken by another program: stop it or choose another ${variable}`
        : code === 'EACCES'
          ? `${variable} ${port} cannot be used by this user (${code}): choose one from 1024`
          : `HOST ${host} cannot be listened on (${code})`;
    throw new StartError(problem, { cause });
  }
}

/** Refuses new connections, lets requests under way finish, and closes each connection as it falls idle. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}

function announce({ publicUrl, host, port }: Env, accounts: DemoAccount[]): void {
  console.log(`${provider.name} runs at ${publicUrl} (${host}, port ${port})`);
  if (accounts.length > 0) console.log('Log in with a demo account (user name / password):');
  for (const { username, password, purpose } of accounts)
    console.log(`  ${username} / ${password}  ${purpose}`);
}

function listenToSignals(): void {
  let first: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
      end();
    });
  }
}

/** What an operator can put right is told in one line, anything else with its stack; either way the process ends. */
function fail(error: unknown): void {
  process.exitCode = 1;
  console.error(error instanceof StartError ? error.message : error);
  end();
}

/** Lets go of everything and ends the process. */
async function stop(): Promise<void> {
  setTimeout(() => {
    console.error(`Stopping took more than ${STOP_MS / 1000} seconds: what was under way is cut`);
    process.exit(1);
  }, STOP_MS);
  await resources.disposeAsync().catch(fail);
  process.exit();
}
