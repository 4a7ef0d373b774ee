import { reauthenticationSchema } from '#contract/accounts.ts';
import {
  bothFactorsSchema,
  challengeSchema,
  confirmationSchema,
  enrolmentSchema,
  recoveryCodesSchema,
} from '#contract/two-factor.ts';
import { limitAddress, limitGuesses, limitProofs } from '#server/auth/limits.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { actorOf } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';
import { confirm, disable, enrol, passChallenge, renewRecoveryCodes } from './commands.ts';

/** Errors of verifying both factors. */
const UNPROVEN = [
  'wrong_password',
  'password_missing',
  'invalid_code',
  'two_factor_inactive',
  'too_many_requests',
] as const;

export const twoFactorRoutes = createRouter()
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/two-factor/challenges',
      tags: ['two-factor'],
      summary: 'Complete a login with its second factor',
      request: { body: jsonBody(challengeSchema) },
      responses: { 204: { description: 'Session cookies are set' } },
      failures: [
        'invalid_code',
        'two_factor_expired',
        'two_factor_attempts',
        'two_factor_inactive',
        'account_suspended',
        'unauthenticated',
        'too_many_requests',
      ],
    }),
    async (c) => {
      await limitAddress(c, 'login');
      const { code } = c.req.valid('json');
      setCookies(c, await passChallenge(c.get('services'), code, originOf(c)));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/two-factor',
      tags: ['two-factor'],
      summary: 'Start the enrolment of an authenticator app',
      request: { body: jsonBody(reauthenticationSchema) },
      responses: { 201: jsonAnswer(enrolmentSchema, 'What the app needs, shown once') },
      failures: ['wrong_password', 'password_missing', 'two_factor_active', 'too_many_requests'],
    }),
    async (c) => {
      const guesses = await limitGuesses(c, actorOf(c).userId);
      const enrolment = await enrol(c.get('services'), actorOf(c), c.req.valid('json').password, originOf(c));
      await guesses.forget();
      return c.json(enrolmentSchema.parse(enrolment), 201);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/two-factor/confirmations',
      tags: ['two-factor'],
      summary: 'Switch the second factor on with the first code of the app',
      request: { body: jsonBody(confirmationSchema) },
      responses: { 204: { description: 'On; the session is renewed' } },
      failures: ['invalid_code', 'two_factor_active', 'two_factor_inactive', 'too_many_requests'],
    }),
    async (c) => {
      const guesses = await limitGuesses(c, actorOf(c).userId);
      const { code } = c.req.valid('json');
      setCookies(c, await confirm(c.get('services'), actorOf(c), code, originOf(c)));
      await guesses.forget();
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/two-factor/recovery-codes',
      tags: ['two-factor'],
      summary: 'Make new recovery codes in place of the old ones',
      request: { body: jsonBody(bothFactorsSchema) },
      responses: { 201: jsonAnswer(recoveryCodesSchema, 'The codes, shown once') },
      failures: UNPROVEN,
    }),
    async (c) => {
      const guesses = await limitProofs(c, actorOf(c).userId);
      const proof = c.req.valid('json');
      const recoveryCodes = await renewRecoveryCodes(c.get('services'), actorOf(c), proof, originOf(c));
      await guesses.forget();
      return c.json(recoveryCodesSchema.parse({ recoveryCodes }), 201);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'delete',
      path: '/auth/two-factor',
      tags: ['two-factor'],
      summary: 'Switch the second factor off',
      request: { body: jsonBody(bothFactorsSchema) },
      responses: { 204: { description: 'Off; the session is renewed' } },
      failures: UNPROVEN,
    }),
    async (c) => {
      const guesses = await limitProofs(c, actorOf(c).userId);
      const proof = c.req.valid('json');
      setCookies(c, await disable(c.get('services'), actorOf(c), proof, originOf(c)));
      await guesses.forget();
      return c.body(null, 204);
    },
  );
