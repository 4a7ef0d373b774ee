import type { ZodError } from 'zod';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';

/** An expected failure: thrown by commands and policies, answered with the status and Italian text of its code. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  /**
   * @param fields path of each wrong field → Italian message shown next to it
   * @param message what is said instead of the code's own text, where that depends on the case
   */
  constructor(code: ErrorCode, fields?: Record<string, string>, message: string = ERRORS[code].message) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** The failure `code`, its text next to `field` when one is given. */
export function fieldError(code: ErrorCode, field?: string): AppError {
  return new AppError(code, field === undefined ? undefined : { [field]: ERRORS[code].message });
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
