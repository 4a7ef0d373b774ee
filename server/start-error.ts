import { databaseFailure } from '#server/db/failure.ts';

/** SQLSTATE of a write for which the database's disk has no room. */
const DISK_FULL = '53100';

/**
 * A failure that the operator can fix: an invalid variable, a port in use, an unreachable database, a data folder in
 * use. The message is one line that names the problem and what to do; `process.ts` prints it without a stack and exits
 * with code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The one line that tells an operator what to fix: a StartError's, or that of a full disk; null for any other failure. */
export function adviceFor(error: unknown): string | null {
  if (error instanceof StartError) return error.message;
  if (databaseFailure(error)?.code === DISK_FULL)
    return 'the disk of the database is full: free space, then repeat this';
  return null;
}
