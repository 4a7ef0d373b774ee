import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from '#server/app.ts';
import { readEnv } from '#server/env.ts';
import { close } from '#server/http/listen.ts';
import { createHttpServer } from '#server/http/listener.ts';
import type { Queues } from '#server/jobs/boss.ts';
import { type Services, startServices } from '#server/services.ts';
import { createVisitor, type Visitor } from './client.ts';
import { createTestDatabase, makeTestFolder, type TestCluster } from './cluster.ts';
import { watchFailures } from './declared-failures.ts';
import { type Factories, openFactories, type TestUser } from './factories.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { openSession } from './session.ts';

/** The whole application on a free loopback port, with its own database and data folder. */
export type TestServer = {
  /** Address without a trailing slash. */
  origin: string;
  app: ReturnType<typeof createApp>;
  services: Services;
  /** Creates the records a test starts from, as the owner of the database. */
  make: Factories;
  mailbox: Mailbox;
  /** A visitor who is not signed in. */
  anonymous(): Visitor;
  /** A visitor signed in as `user`; the same one each time. */
  as(user: TestUser): Promise<Visitor>;
};

const AUTH_SECRET = 'a secret of the tests, of at least 32 characters';

/**
 * Starts the application on a copy of the template database, or on the `DATABASE_URL` and `DATA_DIR` in `variables`, which
 * it then does not remove. Stopping fails if a route answered with a failure that it does not declare, or if a message that
 * a test waited for was sent more than once.
 *
 * @param variables further environment variables, such as `RATE_LIMITS` or `MAIL_URL`
 * @param queues retry settings of each queue, for tests that cannot wait as long as the product
 */
export async function startTestServer(
  cluster: TestCluster,
  variables: Record<string, string> = {},
  queues?: Queues,
): Promise<TestServer & { stop(): Promise<void> }> {
  const database = variables.DATABASE_URL ? null : await createTestDatabase(cluster);
  const databaseUrl = variables.DATABASE_URL ?? database?.databaseUrl ?? '';
  const dataDir = variables.DATA_DIR ?? (await makeTestFolder());

  // The services need to know the port before the application can answer on it.
  let answer: Parameters<typeof createHttpServer>[0] = () => new Response(null, { status: 503 });
  const listener = createHttpServer((request, bindings) => answer(request, bindings));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  const env = readEnv({
    PORT: String(port),
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...variables,
  });
  const services = await startServices({ ...env, databaseUrl, authSecret: AUTH_SECRET }, queues);
  const app = createApp(services);
  const watched = watchFailures(app);
  answer = watched.fetch;
  const { factories, close: closeFactories } = openFactories(databaseUrl, env.invoiceAdminEmail);
  const signedIn = new Map<string, Promise<Visitor>>();
  const enter = async (user: TestUser) => {
    const visitor = createVisitor(origin);
    visitor.keep(await openSession(services.auth, user));
    return visitor;
  };

  const mailbox = openMailbox(join(dataDir, 'mail'));

  return {
    origin,
    app,
    services,
    make: factories,
    mailbox,
    anonymous: () => createVisitor(origin),
    as(user) {
      const visitor = signedIn.get(user.id) ?? enter(user);
      signedIn.set(user.id, visitor);
      return visitor;
    },
    async stop() {
      await close(listener);
      await services.stop();
      await closeFactories();
      await database?.drop();
      await mailbox.requireSingle();
      if (!variables.DATA_DIR) await rm(dataDir, { recursive: true });
      watched.requireDeclared();
    },
  };
}
