import { isAPIError } from 'better-auth/api';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { loginSchema, registrationSchema } from '#contract/accounts.ts';
import type { UserId } from '#server/auth/actor.ts';
import { auditEvents, profiles } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/http/errors.ts';
import type { Services } from '#server/services.ts';
import { emailExists, findEmailByUsername, findUsernamesLike } from './queries.ts';

type Login = z.output<typeof loginSchema>;
type Registration = z.output<typeof registrationSchema>;

/** Where a request comes from, for the audit table. */
export type Origin = { headers: Headers; ipAddress: string | null };

/**
 * Opens a session (spec §5, Login). An identifier with @ is an e-mail, otherwise a username.
 * @returns the cookies to set
 * @throws AppError username_not_found, invalid_credentials, account_suspended
 */
export async function logIn(services: Services, login: Login, origin: Origin): Promise<string[]> {
  const email = login.identifier.includes('@')
    ? login.identifier.toLowerCase()
    : await findEmailByUsername(readAs(services.pool, SYSTEM), login.identifier);
  if (email === null) throw new AppError('username_not_found');

  let userId: UserId;
  let cookies: string[];
  try {
    const { headers, response } = await services.auth.api.signInEmail({
      body: { email, password: login.password, rememberMe: login.remember },
      headers: origin.headers,
      returnHeaders: true,
    });
    userId = response.user.id as UserId;
    cookies = headers.getSetCookie();
  } catch (error) {
    if (!isAPIError(error)) throw error;
    await transaction(services.pool, SYSTEM, async (tx) => {
      await tx.insert(auditEvents).values({ action: 'login_failed', ipAddress: origin.ipAddress });
    });
    throw new AppError(error.body?.code === 'BANNED_USER' ? 'account_suspended' : 'invalid_credentials');
  }
  await transaction(services.pool, SYSTEM, async (tx) => {
    await tx.update(profiles).set({ lastLogin: new Date() }).where(eq(profiles.id, userId));
    await tx
      .insert(auditEvents)
      .values({ action: 'login', actorId: userId, subjectId: userId, ipAddress: origin.ipAddress });
  });
  return cookies;
}

/** A username from the part of `email` before the @, made unique by a number (architecture: registration asks for none). */
async function freeUsername(services: Services, email: string): Promise<string> {
  const base = (email.split('@', 1)[0] ?? '').replace(/[^a-z0-9._-]/g, '').slice(0, 60) || 'utente';
  const taken = new Set(await findUsernamesLike(readAs(services.pool, SYSTEM), base));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * Makes a customer account (spec §5, Registration): role always 'user', no session.
 * @throws AppError email_reserved for the invoice administrator's address, email_taken
 */
export async function register(services: Services, registration: Registration): Promise<UserId> {
  if (registration.email === services.env.invoiceAdminEmail) {
    throw new AppError('email_reserved', { email: 'Questo indirizzo email non può essere registrato.' });
  }
  return createAccount(services, registration, 'user');
}

/**
 * Makes an account with its password.
 * @throws AppError email_taken
 */
export async function createAccount(
  services: Services,
  account: Registration & { username?: string },
  role: 'user' | 'admin',
): Promise<UserId> {
  const taken = () => new AppError('email_taken', { email: 'Esiste già un account con questa email.' });
  if (await emailExists(readAs(services.pool, SYSTEM), account.email)) throw taken();
  const { user } = await services.auth.api
    .signUpEmail({
      body: {
        email: account.email,
        password: account.password,
        name: account.fullName,
        username: account.username ?? (await freeUsername(services, account.email)),
      },
    })
    .catch((error: unknown) => {
      // Two registrations of one address at the same moment: the unique index decided for the other.
      if (isAPIError(error) && /USER_ALREADY_EXISTS|FAILED_TO_CREATE_USER/.test(error.body?.code ?? ''))
        throw taken();
      throw error;
    });
  const userId = user.id as UserId;
  await transaction(services.pool, SYSTEM, async (tx) => {
    await tx.update(profiles).set({ companyName: account.companyName, role }).where(eq(profiles.id, userId));
  });
  return userId;
}

/** Ends the session of the request. @returns the cookies to set */
export async function logOut(services: Services, headers: Headers): Promise<string[]> {
  const answer = await services.auth.api.signOut({ headers, returnHeaders: true });
  return answer.headers.getSetCookie();
}
