import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import type { Services } from '#server/services.ts';

/** The services that keep files and the records that refer to them consistent. */
export type FileKeeping = Pick<Services, 'pool' | 'files' | 'log'>;

/**
 * Removes a stored file unless its record refers to it: a change may have committed although its response was lost. The
 * removal happens outside the transaction, which would hold a connection while a store is slow; that is safe because
 * paths are never reused. If either fails, a file that a record no longer refers to is removed by the queue, and an upload
 * that was not recorded stays for `npm run files:reconcile`.
 * @param refers whether the record does; locks it, so that a file about to be referenced by a concurrent change is not
 *   taken for an orphan
 * @returns whether the file was removed
 */
export async function removeUnreferenced(
  { pool, files, log }: FileKeeping,
  path: string,
  refers: (tx: Database) => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await transaction(pool, SYSTEM, refers)) return false;
    await files.remove(path);
    return true;
  } catch (error) {
    log.error({ err: error }, 'file left without a record');
    return false;
  }
}
