import { giveExample } from '#server/demo/example.ts';
import type { ServingEnv } from '#server/env.ts';
import { close, listen } from '#server/http/listen.ts';
import type { Application } from '#server/load.ts';
import type { Services } from '#server/services.ts';

/**
 * Serves the product from this process: opens what it needs, makes the demo accounts where they are wanted and closes them
 * where they are not, listens.
 *
 * @param first whether this process sees to the demo accounts: one of those that start together does
 * @param resources receives what is to be let go of at the end
 */
export async function serve(
  application: Application,
  { env, first }: { env: ServingEnv; first: boolean },
  resources: AsyncDisposableStack,
): Promise<Services> {
  const services = await application.startServices(env);
  resources.defer(() => services.stop());
  if (first) await seeToDemoAccounts(application, services);

  const server = application.createHttpServer(application.createApp(services).fetch);
  const { host, port, workers } = env;
  let seeded: Promise<void> | undefined;
  // Waited for once the server has closed: a stop takes no new requests meanwhile.
  resources.defer(() => seeded);
  await listen(server, { host, port, shared: workers > 1 });
  resources.defer(() => close(server));
  // Nobody who starts the product waits for its example.
  if (first && env.demo) seeded = giveExample(services);
  return services;
}

async function seeToDemoAccounts(application: Application, services: Services): Promise<void> {
  if (services.env.demo) return application.ensureDemoAccounts(services);
  const closed = await application.closeDemoAccounts(services);
  if (closed.length > 0) services.log.warn({ accounts: closed }, 'demo accounts lost their public passwords');
}
