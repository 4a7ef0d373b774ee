import { randomUUID } from 'node:crypto';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin, twoFactor, username } from 'better-auth/plugins';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { provider } from '#provider';
import * as schema from '#server/db/schema.ts';

const DAY = 86_400;
/** Remember-me (spec §9); otherwise the cookie ends with the browser and the session after a day without use. */
const SESSION_SECONDS = 30 * DAY;
/** How long a signed session cookie is believed without asking the database: the longest a revoked session can linger. */
const SESSION_CACHE_SECONDS = 60;

/** What the accounts service needs to know. `pool` connects as trasvia_auth, the only role that reaches passwords. */
export type AuthOptions = {
  pool: Pool;
  secret: string;
  publicUrl: string;
  origins: string[];
  log: Logger;
};

/** The accounts service: better-auth on the tables profiles, sessions, accounts, verifications and two_factors. */
export function createAuth({ pool, secret, publicUrl, origins, log }: AuthOptions) {
  const options = {
    appName: provider.name,
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: origins,
    telemetry: { enabled: false },
    database: drizzleAdapter(drizzle(pool, { casing: 'snake_case' }), {
      provider: 'pg',
      schema: {
        profiles: schema.profiles,
        sessions: schema.sessions,
        accounts: schema.accounts,
        verifications: schema.verifications,
        twoFactors: schema.twoFactors,
      },
      transaction: true,
    }),
    advanced: {
      cookiePrefix: 'trasvia',
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: () => randomUUID() },
    },
    user: {
      modelName: 'profiles',
      fields: { name: 'fullName', image: 'profilePicture' },
      additionalFields: {
        companyName: { type: 'string', required: false, input: false },
        lastLogin: { type: 'date', required: false, input: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_SECONDS,
      updateAge: DAY,
      cookieCache: { enabled: true, maxAge: SESSION_CACHE_SECONDS },
    },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      revokeSessionsOnPasswordReset: true,
    },
    plugins: [
      username({
        displayUsername: false,
        minUsernameLength: 1,
        maxUsernameLength: 80,
        usernameValidator: (name) => /^[a-z0-9._-]+$/i.test(name),
      }),
      admin({ defaultRole: 'user', adminRoles: ['admin'] }),
      twoFactor({ issuer: provider.name, schema: { twoFactor: { modelName: 'twoFactors' } } }),
    ],
    logger: {
      // Only the level and a fixed source: the library's messages may name a person.
      log: (level) => log[level]({ source: 'better-auth' }, 'accounts service'),
    },
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

/** The accounts service. */
export type Auth = ReturnType<typeof createAuth>;
