import { DrizzleQueryError } from 'drizzle-orm/errors';
import { DatabaseError } from 'pg';
import { type DestinationStream, type Level, pino } from 'pino';

/**
 * The parts of a PostgreSQL error that tell where it happened. The detail, and messages about data (class 22), are left
 * out because they quote user input.
 */
function describeReport({ code, table, column, constraint, routine, message }: DatabaseError) {
  const isAboutData = code?.startsWith('22');
  return {
    type: 'DatabaseError',
    code,
    table,
    column,
    constraint,
    routine,
    ...(!isAboutData && { message }),
  };
}

/** Whether it is a PostgreSQL error, or a copy of its fields: pg-boss reports failures as such copies, without a class. */
function isReport(error: unknown): error is DatabaseError {
  if (error instanceof DatabaseError) return true;
  const isCopy = typeof error === 'object' && error !== null && !(error instanceof Error);
  return isCopy && 'severity' in error && 'code' in error;
}

const FRAMES = /^ {4}at .*$/gm;

/** An error as logged: complete except for the parameters of a query. */
function describeError(error: unknown): unknown {
  if (isReport(error)) return describeReport(error);
  if (!(error instanceof Error)) return error;
  const { name, message, stack = '', cause } = error;
  const isQuery = error instanceof DrizzleQueryError;
  return {
    type: name,
    message: isQuery ? `Failed query: ${error.query}` : message,
    stack: isQuery ? (stack.match(FRAMES) ?? []).join('\n') : stack,
    ...('code' in error && { code: error.code }),
    ...(cause !== undefined && { cause: describeError(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(describeError) }),
  };
}

/**
 * The log: JSON lines without personal data (docs/security.md).
 * @param destination default: standard output
 */
export function openLog(level: Level | 'silent', destination?: DestinationStream) {
  return pino({ level, serializers: { err: describeError } }, destination as DestinationStream);
}
