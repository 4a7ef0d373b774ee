import { SYSTEM, transaction } from '#server/db/scope.ts';
import { seedExample } from '#server/demo/example.ts';
import type { ServingEnv } from '#server/env.ts';
import { close, listen } from '#server/http/listen.ts';
import type { Application } from '#server/load.ts';
import type { Services } from '#server/services.ts';

/**
 * Serves the product from this process: opens the services, creates or closes the demo accounts as configured, listens,
 * and has expired records deleted.
 *
 * @param first whether this process handles the demo accounts and expired records: exactly one of the processes that
 *   start together does
 * @param resources receives what has to be disposed at the end
 */
export async function serve(
  application: Application,
  { env, first }: { env: ServingEnv; first: boolean },
  resources: AsyncDisposableStack,
): Promise<Services> {
  const services = await application.startServices(env, undefined, async (opened) => {
    if (first) await seeToDemoAccounts(application, opened);
  });
  resources.defer(() => services.stop());

  const server = application.createHttpServer(application.createApp(services).fetch);
  const { host, port, workers } = env;
  let seeded: Promise<void> | undefined;
  // Deferred before the server, so that disposal waits for it only after the server has closed and takes no new
  // requests.
  resources.defer(() => seeded);
  await listen(server, { host, port, shared: workers > 1 });
  resources.defer(() => close(server));
  // Nothing else makes up for the nights in which no process ran.
  if (first) await transaction(services.pool, SYSTEM, (tx) => services.jobs.send(tx, 'retention', {}));
  // Not awaited: the start does not wait for the demo data.
  if (first && env.demo) seeded = seedExample(services);
  return services;
}

async function seeToDemoAccounts(
  application: Application,
  services: Pick<Services, 'env' | 'log' | 'pool' | 'auth'>,
): Promise<void> {
  if (services.env.demo) return application.ensureDemoAccounts(services);
  const closed = await application.closeDemoAccounts(services);
  if (closed.length > 0)
    services.log.warn({ accounts: closed }, 'removed the public passwords of demo accounts');
}
