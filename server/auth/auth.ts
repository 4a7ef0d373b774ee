import { randomUUID } from 'node:crypto';
import { runWithTransaction } from '@better-auth/core/context';
import {
  type BetterAuthOptions,
  type BetterAuthPlugin,
  betterAuth,
  type DBTransactionAdapter,
  getCurrentAdapter,
} from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies';
import { admin, createJwk, emailOTP, jwt, twoFactor, username } from 'better-auth/plugins';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import { provider } from '#provider';
import * as schema from '#server/db/schema.ts';
import { ACCOUNT_MAIL_MINUTES } from '#server/mail/account-kinds.ts';
import type { UserId } from './actor.ts';
import { passwordHashing } from './passwords.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Session lifetime with remember-me (spec §9); otherwise the cookie ends with the browser and the session after a day. */
const SESSION_SECONDS = 30 * DAY;
/** How long after the login the database ends any session (migration 0160), in ms. */
export const LAST_MS = 90 * DAY * 1000;
/** How long a session that is not remembered lasts after its last use, in ms, unless the browser is closed before. */
export const SHORT_SESSION_MS = DAY * 1000;
/** By how much a remembered session is prolonged at least, in ms: not at each use. */
export const PROLONGED_MS = DAY * 1000;
/**
 * How long a signed session cookie is believed without a database query, and so the longest a revoked session can linger.
 */
const SESSION_CACHE_SECONDS = MINUTE;

/** What the accounts service needs. `pool` connects as trasvia_auth, the only role with access to passwords. */
export type AuthOptions = {
  pool: Pool;
  secret: string;
  publicUrl: string;
  origins: string[];
  log: Logger;
  /** Called when a code proves the address of an account for the first time, before this is stored. */
  proveAddress(userId: UserId): Promise<void>;
};

/** Opens a session for an account that was authenticated in a way for which the library has no endpoint. */
const sessionOpening = {
  id: 'session-opening',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string(), remember: z.boolean() }) },
      async (ctx) => {
        const { userId, remember } = ctx.body;
        const user = await ctx.context.internalAdapter.findUserById(userId);
        if (!user) throw new Error('Cannot open a session: the account does not exist');
        const session = await ctx.context.internalAdapter.createSession(userId, !remember);
        await setSessionCookie(ctx, { session, user }, !remember);
        if (remember) expireCookie(ctx, ctx.context.authCookies.dontRememberToken);
        return ctx.json({ sessionId: session.id, token: session.token, user });
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** Ends the session of a request, and removes its cookies. The library's own endpoint only logs that it could not. */
const sessionEnding = {
  id: 'session-ending',
  endpoints: {
    endSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
      const { authCookies, adapter, secret } = ctx.context;
      const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
      // The library's own deletion takes a session that it could not read for none.
      if (token) await adapter.deleteMany({ model: 'session', where: [{ field: 'token', value: token }] });
      deleteSessionCookie(ctx);
      return ctx.json(null);
    }),
  },
} satisfies BetterAuthPlugin;

/**
 * Removes the library's do-not-remember cookie from a browser whose next login asks to be remembered. The library only
 * sets it, and would apply it at the second step and whenever the session is prolonged.
 */
const remembering = {
  id: 'remembering',
  hooks: {
    after: [
      {
        matcher: ({ path }) => path === '/sign-in/email',
        handler: createAuthMiddleware(async (ctx) => {
          if (ctx.body.rememberMe) expireCookie(ctx, ctx.context.authCookies.dontRememberToken);
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;

/**
 * Finds the account whose login waits for its second factor. The library does not expose it, but failures must be
 * recorded with an account.
 */
const challengeReading = {
  id: 'challenge-reading',
  endpoints: {
    challengedAccount: createAuthEndpoint.serverOnly(
      { method: 'POST', requireHeaders: true },
      async (ctx) => {
        const { name } = ctx.context.createAuthCookie('two_factor');
        const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
        const pending = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null;
        return ctx.json({ userId: pending?.value ?? null });
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** Makes the key that tokens are signed with from now on. Those before it stay published. */
const keyMaking = {
  id: 'key-making',
  endpoints: {
    makeKey: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const { id } = await createJwk(ctx);
      return ctx.json({ id });
    }),
  },
} satisfies BetterAuthPlugin;

/**
 * Makes the failure to store an account one of the library's own errors, with the database's as its cause. Of any other
 * error its sign-up tells only that the account was not created, not whether a name is taken or the disk is full.
 */
function withCauses<Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter {
  const { create } = adapter;
  const createWithCause = async (row: Parameters<typeof create>[0]) => {
    try {
      return await create(row);
    } catch (cause) {
      throw row.model === 'user' ? new APIError('INTERNAL_SERVER_ERROR', { cause }) : cause;
    }
  };
  return Object.assign(adapter, { create: createWithCause });
}

/** Makes what plugins of the library do with its adapter part of the transaction of their caller, like what it does itself. */
function joinTransactions<Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter {
  const own: DBTransactionAdapter = { ...adapter };
  const joining = Object.entries(own).flatMap(([name, method]) => {
    if (typeof method !== 'function' || name === 'transaction') return [];
    const join = async (...input: unknown[]) => Reflect.get(await getCurrentAdapter(own), name)(...input);
    return [[name, join]];
  });
  return Object.assign(adapter, Object.fromEntries(joining));
}

/** The library's access to the database, for sign-ups in a transaction as for the rest. */
function openDatabase(pool: Pool) {
  const open = drizzleAdapter(drizzle(pool, { casing: 'snake_case' }), {
    provider: 'pg',
    schema: {
      profiles: schema.profiles,
      sessions: schema.sessions,
      accounts: schema.accounts,
      verifications: schema.verifications,
      twoFactors: schema.twoFactors,
      jwks: schema.jwks,
    },
    transaction: true,
  });
  return (options: BetterAuthOptions) => {
    const adapter = open(options);
    const { transaction } = adapter;
    const inTransaction: typeof transaction = (work) => transaction((tx) => work(withCauses(tx)));
    return joinTransactions(Object.assign(adapter, { transaction: inTransaction }));
  };
}

/** The table of accounts, and what the library keeps there besides its own columns. */
const userModel = {
  modelName: 'profiles',
  fields: { name: 'fullName' },
  additionalFields: {
    // What is not returned stays out of the signed cookie. With a long picture address, the answers that renew it
    // would not fit into the 4 kB that a proxy allows for their headers.
    image: {
      type: 'string',
      required: false,
      input: false,
      returned: false,
      fieldName: 'profilePicture',
    },
    companyName: { type: 'string', required: false, input: true, returned: false },
    lastLogin: { type: 'date', required: false, input: false },
    idempotencyKey: { type: 'string', required: false, input: true, returned: false },
    idempotencyDigest: { type: 'string', required: false, input: true, returned: false },
  },
} as const satisfies BetterAuthOptions['user'];

/** How long sessions last. */
const sessionModel = {
  modelName: 'sessions',
  expiresIn: SESSION_SECONDS,
  updateAge: PROLONGED_MS / 1000,
  // Prolonged by `findSession`, which knows when it no longer can be.
  deferSessionRefresh: true,
  cookieCache: { enabled: true, maxAge: SESSION_CACHE_SECONDS },
  // Sensitive changes ask for the password instead of a recent session.
  freshAge: 0,
} as const satisfies BetterAuthOptions['session'];

/**
 * Keeps a session that replaces another, after a change of the second factor, as short as the one before: in the library it is
 * always a remembered one, whatever was chosen at the login.
 */
const keptShort = {
  session: {
    create: {
      async before(_session, ctx) {
        if (!ctx?.context.session) return;
        const { name } = ctx.context.authCookies.dontRememberToken;
        if (!(await ctx.getSignedCookie(name, ctx.context.secret))) return;
        return { data: { expiresAt: new Date(Date.now() + SHORT_SESSION_MS) } };
      },
    },
  },
} satisfies BetterAuthOptions['databaseHooks'];

/** Names, roles, second factors and mailed codes. */
const accountPlugins = [
  username({
    displayUsername: false,
    minUsernameLength: 1,
    maxUsernameLength: 80,
    // What the part of an e-mail before the @ may consist of.
    usernameValidator: (name) => /^[a-z0-9._'+-]+$/i.test(name),
  }),
  admin({ defaultRole: 'user', adminRoles: ['admin'] }),
  twoFactor({ issuer: provider.name, schema: { twoFactor: { modelName: 'twoFactors' } } }),
  emailOTP({
    otpLength: 6,
    expiresIn: ACCOUNT_MAIL_MINUTES.code * MINUTE,
    allowedAttempts: 5,
    storeOTP: 'hashed',
    disableSignUp: true,
    // Required by the library, which would swallow its failures; the account mail worker sends the codes instead.
    sendVerificationOTP: () => Promise.reject(new Error('The accounts service sends no mail')),
  }),
] as const;

/** Signed tokens that name an account. */
function tokens(publicUrl: string) {
  return jwt({
    disableSettingJwtHeader: true,
    jwt: {
      issuer: publicUrl,
      audience: publicUrl,
      expirationTime: '15m',
      definePayload: ({ user: { role } }) => ({ role }),
    },
  });
}

/**
 * The accounts service: better-auth on the tables profiles, sessions, accounts, verifications, two_factors and jwks.
 * Passwords are hashed with its scrypt (N=16384, r=16: 32 MB for each attempt). Its own HTTP handler is not mounted;
 * its functions are reached through our routes.
 */
export function createAuth({ pool, secret, publicUrl, origins, log, proveAddress }: AuthOptions) {
  const secure = publicUrl.startsWith('https:');
  const options = {
    appName: provider.name,
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: origins,
    telemetry: { enabled: false },
    database: openDatabase(pool),
    advanced: {
      // On https, browsers accept cookies with this prefix only from this exact host and over https. The library's own
      // switch supports only the weaker prefix __Secure-.
      cookiePrefix: secure ? '__Host-trasvia' : 'trasvia',
      useSecureCookies: false,
      defaultCookieAttributes: { secure },
      database: {
        generateId: () => randomUUID(),
      },
    },
    user: userModel,
    session: sessionModel,
    databaseHooks: keptShort,
    account: { modelName: 'accounts' },
    // Links and codes are stored as hashes, so that a copy of the table gives no access.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    emailVerification: {
      // The library calls this after a code was correct and has been consumed.
      async beforeEmailVerification({ id, emailVerified }) {
        if (!emailVerified) await proveAddress(id as UserId);
      },
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_LENGTH.min,
      // The library counts UTF-16 units; the contract counts characters, each of up to two units.
      maxPasswordLength: 2 * PASSWORD_LENGTH.max,
      password: passwordHashing,
    },
    plugins: [
      ...accountPlugins,
      tokens(publicUrl),
      sessionOpening,
      sessionEnding,
      remembering,
      challengeReading,
      keyMaking,
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

/**
 * Runs calls of the accounts service in one transaction: all of it is stored or nothing. One of its connections is taken
 * until the end, so that `work` must not wait for what anybody may send in numbers, like the hashing of passwords.
 */
export async function inTransaction<Result>(auth: Auth, work: () => Promise<Result>): Promise<Result> {
  const { adapter } = await auth.$context;
  return runWithTransaction(adapter, work);
}
