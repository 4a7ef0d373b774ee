/**
 * A failure that the operator can fix: an invalid variable, a port in use, an unreachable database, a data folder in
 * use. The message is one line that names the problem and what to do; `process.ts` prints it without a stack and exits
 * with code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}
