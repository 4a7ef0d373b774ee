import { DrizzleQueryError } from 'drizzle-orm/errors';
import { DatabaseError } from 'pg';
import { type DestinationStream, type Level, pino } from 'pino';

/** Of PostgreSQL's report, what says where it happened: its detail, and messages about data, quote what people wrote. */
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

const FRAMES = /^ {4}at .*$/gm;

/** A failure as it is logged: whole, but for the values that a statement was sent with. */
function describeError(error: unknown): unknown {
  if (error instanceof DatabaseError) return describeReport(error);
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
 * The log: lines of JSON, without anything personal (docs/security.md).
 * @param destination standard output when there is none
 */
export function openLog(level: Level | 'silent', destination?: DestinationStream) {
  return pino({ level, serializers: { err: describeError } }, destination as DestinationStream);
}
