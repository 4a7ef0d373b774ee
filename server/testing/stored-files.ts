import { join } from 'node:path';
import type { FileStore } from '#server/files/store.ts';
import type { TestServer } from './server.ts';

/** The place on disk of the stored file `path`. */
export function onDisk(server: TestServer, path: string): string {
  return join(server.services.env.dataDir, 'files', path);
}

/** Whether `files` has no file at `path`. */
export async function isGone(files: FileStore, path: string): Promise<boolean> {
  const file = await files.open(path);
  await file?.close();
  return file === null;
}
