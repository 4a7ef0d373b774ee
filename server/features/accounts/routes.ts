import {
  addressSchema,
  codeLoginSchema,
  identitySchema,
  keySetSchema,
  loginOutcomeSchema,
  loginSchema,
  logoutQuerySchema,
  meSchema,
  passwordChangeSchema,
  passwordResetSchema,
  reauthenticationSchema,
  registrationSchema,
  sessionStateSchema,
  tokenSchema,
  verificationSchema,
} from '#contract/accounts.ts';
import { z } from '#contract/validation.ts';
import { limitAddress, limitGuesses, limitMail } from '#server/auth/limits.ts';
import { originOf, readableHeaders, setCookies } from '#server/auth/request.ts';
import { isRemembered, sessionActor } from '#server/auth/session.ts';
import { ensureDemoAccountOf } from '#server/demo/ensure.ts';
import { AppError } from '#server/errors.ts';
import { actorOf, reading } from '#server/http/env.ts';
import {
  accountAttempt,
  createRouter,
  defineRoute,
  idempotencyHeader,
  jsonAnswer,
  jsonBody,
} from '#server/http/router.ts';
import {
  changePassword,
  guessedAccount,
  issueToken,
  logIn,
  logInWithCode,
  logOut,
  reauthenticate,
  register,
  requestMail,
  resetPassword,
  verifyEmail,
} from './commands.ts';
import { findIdentities, findMe } from './queries.ts';

export const accountRoutes = createRouter()
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/login',
      tags: ['accounts'],
      summary: 'Open a session with e-mail or username and password',
      request: { body: jsonBody(loginSchema) },
      responses: {
        200: jsonAnswer(
          loginOutcomeSchema,
          'Session cookies are set, or those of a login that needs its second factor',
        ),
      },
      failures: ['username_not_found', 'invalid_credentials', 'account_suspended', 'too_many_requests'],
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
      path: '/auth/registrations',
      tags: ['accounts'],
      summary: 'Register a customer account',
      request: { headers: idempotencyHeader, body: jsonBody(registrationSchema) },
      responses: { 201: { description: 'The account exists; log in with it' } },
      failures: ['email_taken', 'email_reserved', 'too_many_requests'],
    }),
    async (c) => {
      const registration = c.req.valid('json');
      await limitAddress(c, 'register');
      await limitMail(c, registration.email);
      const attempt = accountAttempt(c.req.valid('header'), registration);
      await register(c.get('services'), registration, originOf(c), attempt);
      return c.body(null, 201);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/codes',
      tags: ['accounts'],
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
      tags: ['accounts'],
      summary: 'Open a session with a one-time code',
      request: { body: jsonBody(codeLoginSchema) },
      responses: { 204: { description: 'Session cookies are set' } },
      failures: ['invalid_code', 'account_suspended', 'too_many_requests'],
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
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/recoveries',
      tags: ['accounts'],
      summary: 'Ask for a link to choose a new password',
      request: { body: jsonBody(addressSchema) },
      responses: { 202: { description: 'If an account has this address, a link is on its way' } },
      failures: ['too_many_requests'],
    }),
    async (c) => {
      const { email } = c.req.valid('json');
      await limitAddress(c, 'mail');
      await limitMail(c, email);
      await requestMail(c.get('services'), 'recovery', email, originOf(c));
      return c.body(null, 202);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/password-resets',
      tags: ['accounts'],
      summary: 'Choose a new password with the token of a recovery link',
      request: { body: jsonBody(passwordResetSchema) },
      responses: { 204: { description: 'The password is changed, every session ended' } },
      failures: ['invalid_link', 'too_many_requests'],
    }),
    async (c) => {
      await limitAddress(c, 'link');
      await resetPassword(c.get('services'), c.req.valid('json'), originOf(c));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/email-verifications/confirmations',
      tags: ['accounts'],
      summary: 'Confirm the e-mail address of the signed-in account with the token of its link',
      request: { body: jsonBody(verificationSchema) },
      responses: { 204: { description: 'The address is confirmed' } },
      failures: ['invalid_link', 'link_needs_login', 'too_many_requests'],
    }),
    async (c) => {
      await limitAddress(c, 'link');
      const { token } = c.req.valid('json');
      await verifyEmail(c.get('services'), await sessionActor(c), token, originOf(c));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/email-verifications',
      tags: ['accounts'],
      summary: 'Send the link that confirms the own address again',
      responses: { 202: { description: 'The link is on its way' } },
      failures: ['email_verified', 'too_many_requests'],
    }),
    async (c) => {
      const me = await findMe(reading(c), actorOf(c));
      if (!me) throw new AppError('unauthenticated');
      if (me.emailVerified) throw new AppError('email_verified');
      await limitMail(c, me.email);
      await requestMail(c.get('services'), 'verification', me.email, originOf(c));
      return c.body(null, 202);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/reauthentications',
      tags: ['accounts'],
      summary: 'Prove that the own password is known',
      request: { body: jsonBody(reauthenticationSchema) },
      responses: { 204: { description: 'It is' } },
      failures: ['wrong_password', 'password_missing', 'too_many_requests'],
    }),
    async (c) => {
      const guesses = await limitGuesses(c, actorOf(c).userId);
      await reauthenticate(c.get('services'), actorOf(c), c.req.valid('json').password, originOf(c));
      await guesses.forget();
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'put',
      path: '/auth/password',
      tags: ['accounts'],
      summary: 'Change the own password',
      request: { body: jsonBody(passwordChangeSchema) },
      responses: { 204: { description: 'Changed; every other session is ended' } },
      failures: ['wrong_password', 'password_missing', 'too_many_requests'],
    }),
    async (c) => {
      const guesses = await limitGuesses(c, actorOf(c).userId);
      const change = c.req.valid('json');
      const remember = await isRemembered(c);
      setCookies(c, await changePassword(c.get('services'), actorOf(c), change, remember, originOf(c)));
      await guesses.forget();
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'get',
      path: '/auth/identities',
      tags: ['accounts'],
      summary: 'The ways the own account can be entered',
      responses: { 200: jsonAnswer(z.array(identitySchema), 'Linked identities') },
    }),
    async (c) => {
      const identities = await findIdentities(c.get('services'), actorOf(c));
      return c.json(z.array(identitySchema).parse(identities), 200);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/tokens',
      tags: ['accounts'],
      summary: 'A signed token that names the account for 15 minutes',
      responses: { 201: jsonAnswer(tokenSchema, 'The token') },
    }),
    async (c) => {
      const token = await issueToken(c.get('services'), actorOf(c), readableHeaders(c));
      return c.json(tokenSchema.parse(token), 201);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'get',
      path: '/auth/keys',
      tags: ['accounts'],
      summary: 'The public keys that tokens are signed with',
      responses: { 200: jsonAnswer(keySetSchema, 'A JSON Web Key Set') },
    }),
    async (c) => {
      c.header('Cache-Control', 'public, max-age=600');
      return c.json(keySetSchema.parse(await c.get('services').auth.api.getJwks()), 200);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/logout',
      tags: ['accounts'],
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
      tags: ['accounts'],
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
  )
  .openapi(
    defineRoute('session', {
      method: 'get',
      path: '/me',
      tags: ['accounts'],
      summary: 'The signed-in account and what it may do',
      responses: { 200: jsonAnswer(meSchema, 'The account') },
    }),
    async (c) => {
      const me = await findMe(reading(c), actorOf(c));
      if (!me) throw new AppError('unauthenticated');
      return c.json(meSchema.parse(me), 200);
    },
  );
