import {
  addressSchema,
  identitySchema,
  meSchema,
  passwordChangeSchema,
  passwordResetSchema,
  reauthenticationSchema,
  registrationSchema,
  verificationSchema,
} from '#contract/accounts.ts';
import { z } from '#contract/validation.ts';
import { limitAddress, limitGuesses, limitMail } from '#server/auth/limits.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { isRemembered, sessionActor } from '#server/auth/session.ts';
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
      responses: { 200: jsonAnswer(z.array(identitySchema).max(1), 'The password, or nothing without one') },
    }),
    async (c) => {
      const identities = await findIdentities(c.get('services'), actorOf(c));
      return c.json(z.array(identitySchema).parse(identities), 200);
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
