import { refreshedSessionSchema, sessionSchema } from '#contract/sessions.ts';
import { z } from '#contract/validation.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { actorOf } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { endSession, refreshSession } from './commands.ts';
import { findSessions } from './queries.ts';

export const sessionRoutes = createRouter()
  .openapi(
    defineRoute('session', {
      method: 'get',
      path: '/auth/sessions',
      tags: ['sessions'],
      summary: 'The devices the own account is signed in on',
      responses: { 200: jsonAnswer(z.array(sessionSchema), 'This device first') },
    }),
    async (c) => {
      const sessions = await findSessions(c.get('services'), actorOf(c));
      return c.json(z.array(sessionSchema).parse(sessions), 200);
    },
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
  );
