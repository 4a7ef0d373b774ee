import { keySetSchema, tokenSchema } from '#contract/tokens.ts';
import { readableHeaders } from '#server/auth/request.ts';
import { actorOf } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { issueToken } from './commands.ts';

export const tokenRoutes = createRouter()
  .openapi(
    defineRoute('session', {
      method: 'post',
      path: '/auth/tokens',
      tags: ['tokens'],
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
      tags: ['tokens'],
      summary: 'The public keys that tokens are signed with',
      responses: { 200: jsonAnswer(keySetSchema, 'A JSON Web Key Set') },
    }),
    async (c) => {
      c.header('Cache-Control', 'public, max-age=600');
      return c.json(keySetSchema.parse(await c.get('services').auth.api.getJwks()), 200);
    },
  );
