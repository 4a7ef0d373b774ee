import { ApiError } from './api.ts';

/** For a chosen file that was changed or moved since, or that cannot be read. */
export const UNREADABLE_FILE =
  'Non è stato possibile leggere il file, forse cambiato o spostato dopo la scelta: sceglilo di nuovo.';

/** The first bytes of a chosen file; null if the browser refuses to read it, because it was changed or moved since. */
export async function headOf(file: Blob, bytes: number): Promise<Uint8Array | null> {
  const head = await file
    .slice(0, bytes)
    .arrayBuffer()
    .catch(() => null);
  return head && new Uint8Array(head);
}

/**
 * Awaits the request that sends a chosen file. That of a file which the browser refuses to read fails like one without a
 * connection, however often it is repeated.
 * @throws ApiError that says so, otherwise what `sending` throws
 */
export async function sendingFile<Result>(file: Blob, sending: Promise<Result>): Promise<Result> {
  try {
    return await sending;
  } catch (error) {
    const unheard = error instanceof ApiError && error.status === 0;
    if (!unheard || (await headOf(file, 1))) throw error;
    throw new ApiError({ status: 0, code: 'unreadable_file', message: UNREADABLE_FILE });
  }
}
