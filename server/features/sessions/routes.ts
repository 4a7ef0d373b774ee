import {
  addressSchema,
  codeLoginSchema,
  loginOutcomeSchema,
  loginSchema,
  logoutQuerySchema,
  sessionStateSchema,
} from '#contract/accounts.ts';
import { refreshedSessionSchema, sessionListSchema, sessionQuerySchema } from '#contract/sessions.ts';
import { z } from '#contract/validation.ts';
import { limitAddress, limitGuesses, limitMail } from '#server/auth/limits.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { isRemembered, sessionActor } from '#server/auth/session.ts';
import { ensureDemoAccountOf } from '#server/demo/ensure.ts';
import { requestMail } from '#server/features/accounts/commands.ts';
import { findMe } from '#server/features/accounts/queries.ts';
import { actorOf, reading } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';
import { endSession, guessedAccount, logIn, logInWithCode, logOut, refreshSession } from './commands.ts';
import { listSessions } from './queries.ts';

export const sessionRoutes = createRouter()
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/login',
      tags: ['sessions'],
      summary: 'Open a session with e-mail or username and password',
      request: { body: jsonBody(loginSchema) },
      responses: {
        200: jsonAnswer(
          loginOutcomeSchema,
          'Session cookies are set, or those of a login that needs its second factor',
        ),
      },
      failures: [
        'username_not_found',
        'invalid_credentials',
        'account_suspended',
        'unauthenticated',
        'too_many_requests',
      ],
    }),
    async (c) => {
      const login = c.req.valid('json');
      await limitAddress(c, 'login');
      const guesses = await limitGuesses(c, await guessedAccount(c.get('services'), login.identifier));
      await ensureDemoAccountOf(c.get('services'), login.identifier);
      const { cookies, twoFactor } = await logIn(c.get('services'), login, originOf(c));
      await guesses.forget();
      setCookies(c, cookies);
      return c.json(loginOutcomeSchema.parse({ twoFactor }), 200);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/codes',
      tags: ['sessions'],
      summary: 'Ask for a one-time code by e-mail',
      request: { body: jsonBody(addressSchema) },
      responses: { 202: { description: 'If an account has this address, a code is on its way' } },
      failures: ['too_many_requests'],
    }),
    async (c) => {
      const { email } = c.req.valid('json');
      await limitAddress(c, 'mail');
      await limitMail(c, email);
      await requestMail(c.get('services'), 'code', email, originOf(c));
      return c.body(null, 202);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/code-logins',
      tags: ['sessions'],
      summary: 'Open a session with a one-time code',
      request: { body: jsonBody(codeLoginSchema) },
      responses: { 204: { description: 'Session cookies are set' } },
      failures: ['invalid_code', 'account_suspended', 'unauthenticated', 'too_many_requests'],
    }),
    async (c) => {
      const login = c.req.valid('json');
      await limitAddress(c, 'login');
      const guesses = await limitGuesses(c, login.email);
      setCookies(c, await logInWithCode(c.get('services'), login, originOf(c)));
      await guesses.forget();
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'get',
      path: '/auth/sessions',
      tags: ['sessions'],
      summary: 'The devices the own account is signed in on: this one first, then by last use',
      request: { query: sessionQuerySchema },
      responses: { 200: jsonAnswer(sessionListSchema, 'A page of sessions') },
    }),
    async (c) =>
      c.json(sessionListSchema.parse(await listSessions(reading(c), actorOf(c), c.req.valid('query'))), 200),
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/refresh',
      tags: ['sessions'],
      summary: 'Prolong the session of this device',
      responses: { 200: jsonAnswer(refreshedSessionSchema, 'When it ends unless refreshed again') },
    }),
    async (c) => {
      const { expiresAt, cookies } = await refreshSession(c.get('services'), originOf(c));
      setCookies(c, cookies);
      return c.json(refreshedSessionSchema.parse({ expiresAt: expiresAt.toISOString() }), 200);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'delete',
      path: '/auth/sessions/{id}',
      tags: ['sessions'],
      summary: 'End the session of one device',
      request: { params: z.object({ id: z.string().max(100) }) },
      responses: { 204: { description: 'Ended' } },
      failures: ['session_not_found'],
    }),
    async (c) => {
      await endSession(c.get('services'), actorOf(c), c.req.valid('param').id, originOf(c));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/logout',
      tags: ['sessions'],
      summary: 'End the session of this device, of all others, or every session',
      request: { query: logoutQuerySchema },
      responses: { 204: { description: 'Ended' } },
    }),
    async (c) => {
      const { scope } = c.req.valid('query');
      setCookies(c, await logOut(c.get('services'), actorOf(c), scope, originOf(c)));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'get',
      path: '/auth/session',
      tags: ['sessions'],
      summary: 'Who is signed in, if anybody',
      responses: { 200: jsonAnswer(sessionStateSchema, 'The account, or null') },
    }),
    async (c) => {
      const actor = await sessionActor(c);
      if (!actor) return c.json(sessionStateSchema.parse({ me: null }), 200);
      c.set('actor', actor);
      const [me, remembered] = await Promise.all([findMe(reading(c), actor), isRemembered(c)]);
      return c.json(sessionStateSchema.parse({ me: me && { ...me, remembered } }), 200);
    },
  );
