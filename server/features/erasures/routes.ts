import { ownershipSchema } from '#contract/two-factor.ts';
import { limitProofs } from '#server/auth/limits.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { actorOf } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonBody } from '#server/http/router.ts';
import { deleteOwnAccount } from './commands.ts';

export const erasureRoutes = createRouter().openapi(
  defineRoute('user', {
    method: 'delete',
    path: '/me',
    tags: ['erasures'],
    summary: 'Delete the own account',
    request: { body: jsonBody(ownershipSchema) },
    responses: { 204: { description: 'Deleted; invoices stay as fiscal records' } },
    failures: ['wrong_password', 'password_missing', 'invalid_code', 'last_admin', 'too_many_requests'],
  }),
  async (c) => {
    const guesses = await limitProofs(c, actorOf(c).userId);
    const proof = c.req.valid('json');
    setCookies(c, await deleteOwnAccount(c.get('services'), actorOf(c), proof, originOf(c)));
    await guesses.forget();
    return c.body(null, 204);
  },
);
