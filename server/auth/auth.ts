import { randomUUID } from 'node:crypto';
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { expireCookie, setSessionCookie } from 'better-auth/cookies';
import { admin, emailOTP, jwt, twoFactor, username } from 'better-auth/plugins';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import { provider } from '#provider';
import * as schema from '#server/db/schema.ts';
import { ACCOUNT_MAIL_MINUTES } from '#server/mail/account-kinds.ts';
import type { UserId } from './actor.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Remember-me (spec §9); otherwise the cookie ends with the browser and the session after a day. */
const SESSION_SECONDS = 30 * DAY;
/** How long a session that is not remembered lasts after its last use, in ms, where the browser is not closed before. */
export const UNREMEMBERED_MS = DAY * 1000;
/** However often it is prolonged, a session ends so long after its login, in ms: ninety days. */
export const SESSION_MAX_MS = 90 * DAY * 1000;
/** How long a signed session cookie is believed without asking the database: the longest a revoked session can linger. */
const SESSION_CACHE_SECONDS = MINUTE;

/** What the accounts service needs to know. `pool` connects as trasvia_auth, the only role that reaches passwords. */
export type AuthOptions = {
  pool: Pool;
  secret: string;
  publicUrl: string;
  origins: string[];
  log: Logger;
  /** Called when a code has proved the address of an account for the first time, before that is noted. */
  proveAddress(userId: UserId): Promise<void>;
};

/** Opens a session for an account that has proved itself in a way the library has no endpoint for. */
const sessionOpening = {
  id: 'session-opening',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string(), remember: z.boolean() }) },
      async (ctx) => {
        const { userId, remember } = ctx.body;
        const user = await ctx.context.internalAdapter.findUserById(userId);
        if (!user) throw new Error('A session was asked for an account that does not exist');
        const session = await ctx.context.internalAdapter.createSession(userId, !remember);
        await setSessionCookie(ctx, { session, user }, !remember);
        if (remember) expireCookie(ctx, ctx.context.authCookies.dontRememberToken);
        return ctx.json({ sessionId: session.id });
      },
    ),
  },
} satisfies BetterAuthPlugin;

/**
 * Takes the library's note that a session is not to be remembered from a browser whose next login says the opposite: the
 * library sets it, and would go by it at the second step and whenever the session is prolonged.
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

/** Tells whose login waits for its second factor: the library keeps that to itself, and failures have to name an account. */
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

/**
 * The accounts service: better-auth on the tables profiles, sessions, accounts, verifications, two_factors and jwks.
 * Passwords are hashed with its scrypt (N=16384, r=16: 32 MB for each attempt). Its own HTTP handler is not mounted:
 * what it can do is reached through routes of ours.
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
    database: drizzleAdapter(drizzle(pool, { casing: 'snake_case' }), {
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
    }),
    advanced: {
      // On https browsers take cookies of this name from this very host over https alone. The library's own switch knows
      // the weaker prefix __Secure- only.
      cookiePrefix: secure ? '__Host-trasvia' : 'trasvia',
      useSecureCookies: false,
      defaultCookieAttributes: { secure },
      database: {
        generateId: () => randomUUID(),
        // The library's own hundred would leave sessions beyond it out of the list, and alive when all others are ended.
        defaultFindManyLimit: 10_000,
      },
    },
    user: {
      modelName: 'profiles',
      fields: { name: 'fullName', image: 'profilePicture' },
      additionalFields: {
        companyName: { type: 'string', required: false, input: true },
        lastLogin: { type: 'date', required: false, input: false },
        idempotencyKey: { type: 'string', required: false, input: true, returned: false },
        idempotencyDigest: { type: 'string', required: false, input: true, returned: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_SECONDS,
      updateAge: DAY,
      cookieCache: { enabled: true, maxAge: SESSION_CACHE_SECONDS },
      // A sensitive change asks for the password instead of for a young session.
      freshAge: 0,
    },
    databaseHooks: {
      session: {
        create: {
          // The library remembers every session that takes the place of another, after a change of password or second
          // factor, whatever was said at the login.
          async before(_session, ctx) {
            if (!ctx?.context.session) return;
            const { name } = ctx.context.authCookies.dontRememberToken;
            if (!(await ctx.getSignedCookie(name, ctx.context.secret))) return;
            return { data: { expiresAt: new Date(Date.now() + UNREMEMBERED_MS) } };
          },
        },
      },
    },
    account: { modelName: 'accounts' },
    // What is stored of a link or code is its hash: a copy of the table opens nothing.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    emailVerification: {
      // The library comes here with a code that was right, and used up.
      async beforeEmailVerification({ id, emailVerified }) {
        if (!emailVerified) await proveAddress(id as UserId);
      },
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_LENGTH.min,
      // The library counts UTF-16 units; the contract counts characters, each of up to two.
      maxPasswordLength: 2 * PASSWORD_LENGTH.max,
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
      emailOTP({
        otpLength: 6,
        expiresIn: ACCOUNT_MAIL_MINUTES.code * MINUTE,
        allowedAttempts: 5,
        storeOTP: 'hashed',
        disableSignUp: true,
        // Asked for by the library, which would swallow its failures: the worker of account mail sends codes.
        sendVerificationOTP: () => Promise.reject(new Error('The accounts service sends no mail')),
      }),
      jwt({
        disableSettingJwtHeader: true,
        jwt: {
          issuer: publicUrl,
          audience: publicUrl,
          expirationTime: '15m',
          definePayload: ({ user }) => ({ role: user.role }),
        },
      }),
      sessionOpening,
      remembering,
      challengeReading,
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
