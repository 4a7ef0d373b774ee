import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { mailboxes } from '#provider';
import { freePort } from '#server/db/postmaster.ts';
import { readEnv } from '#server/env.ts';
import { openAccounts } from '#server/services.ts';
import { createTestDatabase, makeTestFolder, type TestCluster } from '#server/testing/cluster.ts';
import { type Factories, openFactories, type TestUser } from '#server/testing/factories.ts';
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts';
import { startServerProcess } from '#server/testing/process.ts';
import { openSession } from '#server/testing/session.ts';

/** The product as users run it: a process that serves the built client, with its own database and data folder. */
export type RunningApp = {
  /** Address without a trailing slash. */
  origin: string;
  /** Creates test data directly in the database. */
  make: Factories;
  mailbox: Mailbox;
  /** Gives a browser context the session of `user`. */
  signIn(context: BrowserContext, user: TestUser): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the product on a copy of the template database. */
export async function startApp(cluster: TestCluster): Promise<RunningApp> {
  const database = await createTestDatabase(cluster);
  const dataDir = await makeTestFolder();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const { databaseUrl } = database;
  const variables = {
    PORT: String(port),
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET: 'a secret of the tests, of at least 32 characters',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  const server = await startServerProcess(variables);
  const mailbox = openMailbox(join(dataDir, 'mail'));
  const { factories, close } = openFactories(databaseUrl, mailboxes.invoiceAdminEmail);
  const accounts = openAccounts({ ...readEnv(variables), databaseUrl, authSecret: variables.AUTH_SECRET });

  return {
    origin,
    make: factories,
    mailbox,
    async signIn(context, user) {
      const setCookies = await openSession(accounts.auth, user);
      await context.addCookies(setCookies.map((cookie) => cookieOf(cookie, origin)));
    },
    async stop() {
      await server.end('SIGTERM');
      await Promise.all([close(), accounts.close()]);
      await database.drop();
      await mailbox.requireSingle();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Converts a `Set-Cookie` header of the server at `origin` into a cookie for a browser context. */
function cookieOf(setCookie: string, origin: string): Parameters<BrowserContext['addCookies']>[0][number] {
  const [pair = ''] = setCookie.split(';', 1);
  const separator = pair.indexOf('=');
  return {
    name: pair.slice(0, separator),
    value: pair.slice(separator + 1),
    url: origin,
    httpOnly: true,
    sameSite: 'Lax',
  };
}
