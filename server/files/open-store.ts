import { join } from 'node:path';
import { folderStore } from './folder.ts';
import { s3Store } from './s3.ts';
import type { FileStore } from './store.ts';

/**
 * The store that `FILES_URL` names, `s3://bucket?endpoint=…&region=…`; null: the folder `files` in the data folder.
 * @throws ConfigurationError when the URL names no bucket or something unknown
 */
export function openFileStore(url: string | null, dataDir: string): FileStore {
  return url === null ? folderStore(join(dataDir, 'files')) : s3Store(url);
}
