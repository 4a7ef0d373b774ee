import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ZodError } from 'zod';
import { ERRORS, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import type { AppEnv } from './env.ts';

/** An expected failure: thrown by commands and policies, answered with the status and Italian text of its code. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  /** @param fields path of each wrong field → Italian message shown next to it */
  constructor(code: ErrorCode, fields?: Record<string, string>) {
    super(ERRORS[code].message);
    this.code = code;
    this.fields = fields;
  }
}

/** Answers a failure in the one shape of the API, `{error: {code, message, fields?, requestId}}`. */
export function answerError(c: Context<AppEnv>, code: ErrorCode, fields?: Record<string, string>): Response {
  const { status, message } = ERRORS[code];
  const requestId = c.get('requestId');
  const body: ErrorBody = { error: { code, message, ...(fields && { fields }), requestId } };
  return c.json(body, status as ContentfulStatusCode);
}

/** Zod's issues as field path → first message of that field. Issues of the whole body stand under ''. */
export function fieldsOf(error: Pick<ZodError, 'issues'>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths) fields[path.map(String).join('.')] ??= issue.message;
  }
  return fields;
}

const HTTP_CODES: Partial<Record<number, ErrorCode>> = {
  400: 'malformed_json',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/** SQLSTATE classes of a database that is away (connection lost, shutting down, too many clients), not of a wrong query. */
const UNAVAILABLE = /^(08|57P|53300|ECONN|EPIPE|ETIMEDOUT)/;

function databaseCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    if (/timeout exceeded when trying to connect|Connection terminated/.test(cause.message)) return 'ECONN';
  }
  return undefined;
}

/** The SQLSTATE and constraint behind a failed query, or null when the error is not the database's. */
export function databaseFailure(error: unknown): { code: string; constraint: string | undefined } | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && /^[0-9A-Z]{5}$/.test(cause.code)) {
      const constraint =
        'constraint' in cause && typeof cause.constraint === 'string' ? cause.constraint : undefined;
      return { code: cause.code, constraint };
    }
  }
  return null;
}

/** The one error handler: expected failures as they are, everything else logged whole and answered with a 500. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof AppError) return answerError(c, error.code, error.fields);
  if (error instanceof HTTPException) {
    const code = HTTP_CODES[error.status];
    if (code) return answerError(c, code);
  }
  const log = c.get('log');
  const database = databaseCode(error);
  if (database && UNAVAILABLE.test(database)) {
    log.error({ database }, 'database unavailable');
    c.header('Retry-After', '5');
    return answerError(c, 'unavailable');
  }
  log.error({ err: error }, 'request failed');
  return answerError(c, 'internal');
}
