import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';

/** A stored file being read. */
export type StoredFile = { size: number; body: Readable };

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/** Where files are kept. Paths are relative, with forward slashes: `{userId}/{invoiceNumber}_fattura.pdf`. */
export type FileStore = {
  /** Writes the whole stream, or nothing when it fails. Replaces what was there. */
  put(path: string, body: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /** Opens a file; null when there is none. `range` limits the body, never `size`. */
  get(path: string, range?: ByteRange): Promise<StoredFile | null>;
  /** Removes a file; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** Whether files can be written. */
  ready(): Promise<boolean>;
};

/** Files in a local folder. */
export function folderStore(root: string): FileStore {
  const base = resolve(root);
  const locate = (path: string): string => {
    const full = resolve(base, path);
    if (!full.startsWith(base + sep)) throw new Error('path outside the file store');
    return full;
  };
  return {
    async put(path, body) {
      const target = locate(path);
      await mkdir(dirname(target), { recursive: true });
      const partial = `${target}.${process.pid}.${crypto.randomUUID()}.partial`;
      let size = 0;
      try {
        const file = await open(partial, 'wx');
        try {
          for await (const chunk of body) {
            await file.write(chunk);
            size += chunk.length;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      return { size };
    },
    async get(path, range) {
      const target = locate(path);
      const info = await stat(target).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (!info?.isFile()) return null;
      return { size: info.size, body: createReadStream(target, range) };
    },
    async remove(path) {
      await rm(locate(path), { force: true });
    },
    async ready() {
      await mkdir(base, { recursive: true });
      await access(base, constants.W_OK);
      return true;
    },
  };
}

/** The store that `FILES_URL` names; null: the folder `files` in the data folder. */
export function openFileStore(url: string | null, dataDir: string): FileStore {
  if (url !== null) throw new Error('FILES_URL: only the local folder is supported');
  return folderStore(join(dataDir, 'files'));
}
