/**
 * Something the operator can put right: a wrong variable, a taken port, a database that does not answer, a data folder
 * in use. The message is one line that names what is wrong and what to do; `process.ts` prints it alone, without a stack,
 * and exits with code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}
