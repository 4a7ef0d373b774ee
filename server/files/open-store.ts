import { join } from 'node:path';
import { folderStore } from './folder.ts';
import { s3Store } from './s3.ts';
import { type FileStore, FileStoreError } from './store.ts';

/**
 * The store that `FILES_URL` names, `s3://bucket?endpoint=…&region=…`; null: the folder `files` in the data folder.
 * @throws ConfigurationError when the URL names no bucket or something unknown
 */
export function openFileStore(url: string | null, dataDir: string): FileStore {
  const store = url === null ? folderStore(join(dataDir, 'files')) : s3Store(url);
  return {
    ...store,
    open: (path) => store.open(path).catch(failed('read')),
    remove: (path) => store.remove(path).catch(failed('removed')),
  };
}

/** What a store is reached by fails with the codes of a database that is away: its own failures say whose they are. */
function failed(what: string): (cause: unknown) => never {
  return (cause) => {
    throw new FileStoreError(`a stored file could not be ${what}`, { cause });
  };
}
