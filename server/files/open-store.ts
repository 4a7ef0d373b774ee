import { join } from 'node:path';
import { folderStore } from './folder.ts';
import { s3Store } from './s3.ts';
import { type FileStore, FileStoreError } from './store.ts';

/**
 * The store configured by `FILES_URL`, `s3://bucket?endpoint=…&region=…`; null: the folder `files` in the data folder.
 * @throws ConfigurationError when the URL has no bucket or an unknown part
 */
export function openFileStore(url: string | null, dataDir: string): FileStore {
  const store = url === null ? folderStore(join(dataDir, 'files')) : s3Store(url);
  return {
    ...store,
    open: (path) => store.open(path).catch(failed('read')),
    remove: (path) => store.remove(path).catch(failed('removed')),
  };
}

/** Wraps a store's failures, because network errors have the same codes as those of an unreachable database. */
function failed(what: string): (cause: unknown) => never {
  return (cause) => {
    throw new FileStoreError(`a stored file could not be ${what}`, { cause });
  };
}
