import { ERRORS, type ErrorCode } from '#contract/errors.ts';

/** An expected failure, thrown below the routes, which answer with the status and Italian text of its code. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  /**
   * @param fields path of each invalid field → Italian message shown next to it
   * @param message replaces the code's own text when it depends on the case
   */
  constructor(code: ErrorCode, fields?: Record<string, string>, message: string = ERRORS[code].message) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** An AppError that also shows the text of its code next to `field`, if given. */
export function fieldError(code: ErrorCode, field?: string): AppError {
  return new AppError(code, field === undefined ? undefined : { [field]: ERRORS[code].message });
}
