import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DatabaseError } from 'pg';
import type { ZodError } from 'zod';
import type { ErrorBody } from '#contract/error-body.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { UNKNOWN_FIELD } from '#contract/validation.ts';
import { isConnectionFailure } from '#server/db/pool.ts';
import { AppError } from '#server/errors.ts';
import { FileStoreError } from '#server/files/store.ts';
import type { AppEnv } from './env.ts';

/** Answers a failure in the API's only error format, `{error: {code, message, fields?, requestId}}`. */
export function answerError(
  c: Context<AppEnv>,
  code: ErrorCode,
  fields?: Record<string, string>,
  message: string = ERRORS[code].message,
): Response {
  const { status } = ERRORS[code];
  c.set('failure', code);
  const requestId = c.get('requestId');
  const body: ErrorBody = { error: { code, message, ...(fields && { fields }), requestId } };
  return c.json(body, status as ContentfulStatusCode);
}

/** The most fields reported: more than any form has, while a body of a megabyte can contain tens of thousands. */
const MOST_FIELDS = 1000;

/**
 * Zod's issues as field path → first message of the field, for the first `MOST_FIELDS`. Issues of the whole body are
 * under ''.
 */
export function fieldsOf(error: Pick<ZodError, 'issues'>): Record<string, string> {
  const fields = new Map<string, string>();
  for (const issue of error.issues) {
    for (const [path, message] of issue.code === 'unrecognized_keys' ? unknownKeys(issue) : [wrong(issue)]) {
      if (fields.size === MOST_FIELDS) return Object.fromEntries(fields);
      const name = path.map(String).join('.');
      if (!fields.has(name)) fields.set(name, message);
    }
  }
  return Object.fromEntries(fields);
}

type Wrong = [path: PropertyKey[], message: string];

const wrong = ({ path, message }: { path: PropertyKey[]; message: string }): Wrong => [path, message];

/** The message of a field that a request must not have. */
export const unknownField = (name: string) => `${UNKNOWN_FIELD}: ${name}`;

/** Each key with a message of its own: with the names of all, the answer would grow with the square of their number. */
function* unknownKeys({ path, keys }: { path: PropertyKey[]; keys: string[] }): Generator<Wrong> {
  for (const key of keys) yield [[...path, key], unknownField(key)];
}

/** The body of a 409 to an edit that started from an older version of `current`. */
export function conflictWith<Record>(c: Context<AppEnv>, current: Record) {
  const { message } = ERRORS.conflict;
  return { error: { code: 'conflict' as const, message, requestId: c.get('requestId') }, current };
}

const HTTP_CODES: Partial<Record<number, ErrorCode>> = {
  400: 'malformed_json',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/** Retry-After for an unavailable service, in seconds. */
const RETRY_SECONDS = '5';

/** SQLSTATEs of an unavailable database (connection lost, shutting down, disk full, too many clients), not of a wrong query. */
const UNAVAILABLE = /^(08|57P|53100|53300)/;

/**
 * The SQLSTATE or message behind `error` which shows that the database is unavailable; undefined when it is not. A
 * network code alone proves nothing, because a client that disconnects causes the same.
 */
function unavailability(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseError) return UNAVAILABLE.exec(cause.code ?? '')?.input;
    if (isConnectionFailure(cause)) return 'code' in cause ? String(cause.code) : cause.message;
  }
  return undefined;
}

/**
 * The only error handler. Expected failures are answered as they are and an unavailable service with its code;
 * everything else is logged in full and answered with a 500.
 */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof AppError) return answerError(c, error.code, error.fields, error.message);
  if (error instanceof HTTPException) {
    const code = HTTP_CODES[error.status];
    if (code) return answerError(c, code);
  }
  const log = c.get('log');
  if (error instanceof FileStoreError) {
    log.error({ err: error }, 'file store unavailable');
    c.header('Retry-After', RETRY_SECONDS);
    return answerError(c, 'files_unavailable');
  }
  const database = unavailability(error);
  if (database) {
    log.error({ database }, 'database unavailable');
    c.header('Retry-After', RETRY_SECONDS);
    return answerError(c, 'unavailable');
  }
  log.error({ err: error }, 'request failed');
  return answerError(c, 'internal');
}
