import type { Context } from 'hono';
import { conflictSchema } from '#contract/errors.ts';
import {
  newUserSchema,
  userChangesSchema,
  userListSchema,
  userSchema,
  usersQuerySchema,
} from '#contract/users.ts';
import { z } from '#contract/validation.ts';
import type { UserId } from '#server/auth/actor.ts';
import { limitMail } from '#server/auth/limits.ts';
import { originOf } from '#server/auth/request.ts';
import { AppError } from '#server/errors.ts';
import { requestMail } from '#server/features/accounts/commands.ts';
import { eraseAccount } from '#server/features/erasures/commands.ts';
import { type AppEnv, actorOf, reading } from '#server/http/env.ts';
import { conflictWith } from '#server/http/error-answers.ts';
import {
  accountAttempt,
  createRouter,
  defineRoute,
  idempotencyHeader,
  jsonAnswer,
  jsonBody,
} from '#server/http/router.ts';
import { changeUser, createUser, lockManageable } from './commands.ts';
import { findUser, listUsers, type Viewer } from './queries.ts';

const tags = ['users'];
const params = z.object({
  id: z
    .string()
    .max(100)
    .transform((id) => id as UserId),
});

function viewerOf(c: Context<AppEnv>): Viewer {
  return { userId: actorOf(c).userId, invoiceAdminEmail: c.get('services').env.invoiceAdminEmail };
}

/** Errors of managing an account. */
const UNMANAGEABLE = ['not_found', 'own_account', 'reserved_account', 'last_admin'] as const;

/** @throws AppError not_found */
async function presentUser(c: Context<AppEnv>, id: UserId) {
  const user = await findUser(reading(c), viewerOf(c), id);
  if (!user) throw new AppError('not_found');
  return userSchema.parse(user);
}

export const userRoutes = createRouter()
  .openapi(
    defineRoute('admin', {
      method: 'get',
      path: '/users',
      tags,
      summary: 'Accounts, newest first: searched by name, e-mail or company',
      request: { query: usersQuerySchema },
      responses: { 200: jsonAnswer(userListSchema, 'One page') },
    }),
    async (c) => {
      const page = await listUsers(reading(c), viewerOf(c), c.req.valid('query'));
      return c.json(userListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'post',
      path: '/users',
      tags,
      summary: 'Make an account for somebody',
      request: { headers: idempotencyHeader, body: jsonBody(newUserSchema) },
      responses: { 201: jsonAnswer(userSchema, 'The new account') },
      failures: ['email_taken', 'email_reserved'],
    }),
    async (c) => {
      const user = c.req.valid('json');
      const attempt = accountAttempt(c.req.valid('header'), user);
      const id = await createUser(c.get('services'), actorOf(c), user, originOf(c), attempt);
      return c.json(await presentUser(c, id), 201);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'get',
      path: '/users/{id}',
      tags,
      summary: 'One account',
      request: { params },
      responses: { 200: jsonAnswer(userSchema, 'The account') },
      failures: ['not_found'],
    }),
    async (c) => c.json(await presentUser(c, c.req.valid('param').id), 200),
  )
  .openapi(
    defineRoute('admin', {
      method: 'patch',
      path: '/users/{id}',
      tags,
      summary: 'Change name, company or role of an account, suspend or reinstate it',
      request: { params, body: jsonBody(userChangesSchema) },
      responses: {
        200: jsonAnswer(userSchema, 'The account as it is now'),
        409: jsonAnswer(conflictSchema(userSchema), 'It has changed meanwhile: nothing is written'),
      },
      failures: [...UNMANAGEABLE, 'email_unconfirmed'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const changed = await changeUser(c.get('services'), actorOf(c), id, c.req.valid('json'), originOf(c));
      const user = await presentUser(c, id);
      return changed ? c.json(user, 200) : c.json(conflictWith(c, user), 409);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'post',
      path: '/users/{id}/recoveries',
      tags,
      summary: 'Send an account the link to choose a new password',
      request: { params },
      responses: { 202: { description: 'The link is on its way' } },
      failures: ['not_found', 'user_suspended', 'too_many_requests'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { email, suspended } = await presentUser(c, id);
      // The mail worker would silently drop it.
      if (suspended) throw new AppError('user_suspended');
      await limitMail(c, email);
      const about = { actorId: actorOf(c).userId, subjectId: id };
      await requestMail(c.get('services'), 'recovery', email, originOf(c), about);
      return c.body(null, 202);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'delete',
      path: '/users/{id}',
      tags,
      summary: 'Delete an account; its invoices stay as fiscal records',
      request: { params },
      responses: { 204: { description: 'Deleted' } },
      failures: UNMANAGEABLE,
    }),
    async (c) => {
      const services = c.get('services');
      const { id } = c.req.valid('param');
      const actor = actorOf(c);
      await eraseAccount(services, actor, id, originOf(c), (tx) => lockManageable(tx, services, actor, id));
      return c.body(null, 204);
    },
  );
