import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import type { ErrorCode } from '#contract/errors.ts';
import { z } from '#contract/validation.ts';
import type { Actor } from '#server/auth/actor.ts';
import { sessionActor } from '#server/auth/session.ts';
import { type Attempt, attemptOf } from '#server/db/idempotency.ts';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from './env.ts';
import { answerError, fieldsOf } from './error-answers.ts';
import { withFailures } from './failures.ts';
import type { ReceivedFile } from './multipart.ts';

/**
 * Who may call a route: anybody; any signed-in account; a customer (role user or admin); role admin; the invoice
 * administrator. Written into the OpenAPI document as `x-access`, from which the access matrix test is generated.
 */
export type Access = 'anonymous' | 'session' | 'user' | 'admin' | 'invoiceAdmin';

const ADMITS: Record<Exclude<Access, 'anonymous'>, readonly Actor['kind'][]> = {
  session: ['user', 'admin', 'invoiceAdmin'],
  user: ['user', 'admin'],
  admin: ['admin'],
  invoiceAdmin: ['invoiceAdmin'],
};

function guard(access: Access) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (access !== 'anonymous') {
      const actor = await sessionActor(c);
      if (!actor) throw new AppError('unauthenticated');
      if (!ADMITS[access].includes(actor.kind)) throw new AppError('forbidden');
      c.set('actor', actor);
    }
    await next();
  });
}

/** A router whose input errors answer 422 with an Italian message for each field. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) =>
      result.success ? undefined : answerError(c, 'invalid_input', fieldsOf(result.error)),
  });
}

const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : []);

/** The failures that follow from what a route says of itself: who may call it, how, and with what. */
function impliedFailures(
  access: Access,
  { method, request = {} }: Pick<RouteConfig, 'method' | 'request'>,
): ErrorCode[] {
  const { params, query, headers, body } = request;
  const isUpload = 'multipart/form-data' in (body?.content ?? {});
  const isJudged = [params, query, headers].some((schema) => schema !== undefined);
  return [
    'malformed_text',
    'internal',
    'unavailable',
    ...when(access !== 'anonymous', 'unauthenticated'),
    ...when(access !== 'anonymous' && access !== 'session', 'forbidden'),
    ...when(method !== 'get', 'foreign_origin', 'malformed_json', 'payload_too_large'),
    ...when(body !== undefined, 'unsupported_media_type'),
    ...when(isUpload, 'malformed_upload'),
    // The fields of an upload are its route's to judge, if there are any.
    ...when(isJudged || (body !== undefined && !isUpload), 'invalid_input'),
    ...when(query instanceof z.ZodObject && 'cursor' in query.shape, 'invalid_cursor'),
    ...when(headers === idempotencyHeader, 'idempotency_key_reused'),
  ];
}

/**
 * Declares a route: who may call it, what goes in, what comes out, and which failures are its own. Those that follow from
 * the rest need not be named. The guard runs before the input is read, so that a stranger learns nothing from validation.
 */
export function defineRoute<
  const Path extends string,
  const Config extends Omit<RouteConfig, 'path' | 'middleware'>,
>(access: Access, { failures = [], ...config }: Config & { path: Path; failures?: readonly ErrorCode[] }) {
  return createRoute({
    ...config,
    responses: withFailures(config.responses, [...impliedFailures(access, config), ...failures]),
    middleware: [guard(access)],
    'x-access': access,
    ...(access !== 'anonymous' && { security: [{ session: [] }] }),
  });
}

/** The id in the path of a record. */
export const idParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

/** A JSON request body of `schema`. */
export function jsonBody<Schema>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}

/** A JSON answer of `schema`. */
export function jsonAnswer<Schema>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } } as const;
}

/** Names one attempt of a person to make something: sent again with the same key, it is made once. */
export const idempotencyHeader = z.object({ 'idempotency-key': z.uuid().optional() });

/** The attempt that a request which `idempotencyHeader` let through makes with `content`; null without a key. */
export function requestAttempt(header: z.output<typeof idempotencyHeader>, content: unknown): Attempt | null {
  return attemptOf(header['idempotency-key'] ?? null, content);
}

/** `requestAttempt` of a form: its file counts by its name and bytes. */
export function formAttempt(
  header: z.output<typeof idempotencyHeader>,
  fields: object,
  file: Pick<ReceivedFile, 'name' | 'digest'> | null,
): Attempt | null {
  return requestAttempt(header, { fields, file: file && [file.name, file.digest] });
}

/**
 * `requestAttempt` of a new account: its password is left out, since a digest of it could be guessed from, and compared with the
 * one that is kept (`createAccount`).
 */
export function accountAttempt(
  header: z.output<typeof idempotencyHeader>,
  { password: _, ...account }: { password: string },
): Attempt | null {
  return requestAttempt(header, account);
}
