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
import { contentTypeOf } from './requests.ts';

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

/**
 * Admits who may call a route, and the content types it declares. The validators alone would also accept any `+json`
 * type, and a multipart body where only an urlencoded one is declared: neither is checked and bounded by `wellFormedRequest`.
 */
function guard(access: Access, types: readonly string[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (access !== 'anonymous') {
      const actor = await sessionActor(c);
      if (!actor) throw new AppError('unauthenticated');
      if (!ADMITS[access].includes(actor.kind)) throw new AppError('forbidden');
      c.set('actor', actor);
    }
    const type = contentTypeOf(c);
    if (type && types.length > 0 && !types.includes(type)) throw new AppError('unsupported_media_type');
    await next();
  });
}

/** A router that answers invalid input with 422 and an Italian message for each field. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) =>
      result.success ? undefined : answerError(c, 'invalid_input', fieldsOf(result.error)),
  });
}

const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : []);

/** The failures implied by the declaration of a route: who may call it, how, and with what. */
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
    ...when(isUpload, 'malformed_upload', 'files_unavailable'),
    // The route itself validates the fields of an upload, if there are any.
    ...when(isJudged || (body !== undefined && !isUpload), 'invalid_input'),
    ...when(query instanceof z.ZodObject && 'cursor' in query.shape, 'invalid_cursor'),
    ...when(headers === idempotencyHeader, 'idempotency_key_reused'),
  ];
}

/**
 * Declares a route: who may call it, its input and output, and its own failures. Those implied by the rest need not be
 * listed. The guard runs before the input is read, so that strangers learn nothing from validation.
 */
export function defineRoute<
  const Path extends string,
  const Config extends Omit<RouteConfig, 'path' | 'middleware'>,
>(access: Access, { failures = [], ...config }: Config & { path: Path; failures?: readonly ErrorCode[] }) {
  return createRoute({
    ...config,
    responses: withFailures(config.responses, [...impliedFailures(access, config), ...failures]),
    middleware: [guard(access, Object.keys(config.request?.body?.content ?? {}))],
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

/** Identifies one attempt to create something: repeated with the same key, it is created once. */
export const idempotencyHeader = z.object({ 'idempotency-key': z.uuid().optional() });

/** The attempt to create `content` in a request with `idempotencyHeader`; null without a key. */
export function requestAttempt(header: z.output<typeof idempotencyHeader>, content: unknown): Attempt | null {
  return attemptOf(header['idempotency-key'] ?? null, content);
}

/** `requestAttempt` for a form, whose file is identified by its name and bytes. */
export function formAttempt(
  header: z.output<typeof idempotencyHeader>,
  fields: object,
  file: Pick<ReceivedFile, 'name' | 'digest'> | null,
): Attempt | null {
  return requestAttempt(header, { fields, file: file && [file.name, file.digest] });
}

/**
 * `requestAttempt` for a new account, without its password, which could be guessed from a digest. `createAccount`
 * compares the password with the stored hash instead.
 */
export function accountAttempt(
  header: z.output<typeof idempotencyHeader>,
  { password: _, ...account }: { password: string },
): Attempt | null {
  return requestAttempt(header, account);
}
