import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { loginSchema, meSchema, registrationSchema } from '#contract/accounts.ts';
import { type AppEnv, actorOf, reading } from '#server/http/env.ts';
import { AppError } from '#server/http/errors.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';
import { logIn, logOut, type Origin, register } from './commands.ts';
import { findMe } from './queries.ts';

function originOf(c: Context<AppEnv>): Origin {
  return { headers: c.req.raw.headers, ipAddress: getConnInfo(c).remote.address ?? null };
}

function setCookies(c: Context<AppEnv>, cookies: string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}

export const accountRoutes = createRouter()
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/login',
      tags: ['accounts'],
      summary: 'Open a session with e-mail or username and password',
      request: { body: jsonBody(loginSchema) },
      responses: { 204: { description: 'Session cookies are set' } },
    }),
    async (c) => {
      setCookies(c, await logIn(c.get('services'), c.req.valid('json'), originOf(c)));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('anonymous', {
      method: 'post',
      path: '/auth/registrations',
      tags: ['accounts'],
      summary: 'Register a customer account',
      request: { body: jsonBody(registrationSchema) },
      responses: { 201: { description: 'The account exists; log in with it' } },
    }),
    async (c) => {
      await register(c.get('services'), c.req.valid('json'));
      return c.body(null, 201);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/logout',
      tags: ['accounts'],
      summary: 'End the session of this device',
      responses: { 204: { description: 'Session cookies are removed' } },
    }),
    async (c) => {
      setCookies(c, await logOut(c.get('services'), c.req.raw.headers));
      return c.body(null, 204);
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
