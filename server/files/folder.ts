import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { countTransferred } from './buffers.ts';
import type { ByteRange, FileStore, StoredFile } from './store.ts';

/** Files are first written here, on the same disk, so that the last step is a rename. */
const PARTIAL_FOLDER = '.partial';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Whether a folder can store a file at `path`, which must lead straight to a place inside it. */
export function isStorable(path: string): boolean {
  const steps = path.split('/');
  return !steps.some((step) => ['', '.', '..'].includes(step)) && steps[0] !== PARTIAL_FOLDER;
}

/** A rename is durable only once its folder has been synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes read at a time. Node's own stream, which reads smaller pieces, takes half as much processor time again. */
const PIECE_BYTES = 256 * 1024;

/** Reads a range of a file on demand, then closes the file. */
function readPieces(file: FileHandle, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end + 1 - position));
          const { bytesRead } = await file.read(piece, 0, piece.length, position);
          position += bytesRead;
          countTransferred(bytesRead);
          if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
          // An answer that ends before the length it announced leaves its reader waiting for the rest.
          else if (position <= end) throw new Error('a stored file is shorter than when it was opened');
          if (position <= end) return;
          await file.close();
          controller.close();
        } catch (error) {
          await file.close();
          throw error;
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

/** Writes a new file, which is on disk when this returns. */
async function writeFile(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o640);
  try {
    for await (const chunk of body) {
      await file.writeFile(chunk);
      countTransferred(chunk.length);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file that is open: it can be read to its end even if it is replaced or removed meanwhile. */
async function opened(file: FileHandle): Promise<StoredFile> {
  const { size, mtimeMs, ino } = await file.stat().catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return {
    size,
    etag: `"${[size, ino, Math.round(mtimeMs)].map((part) => part.toString(36)).join('-')}"`,
    read: (range = { start: 0, end: size - 1 }) => readPieces(file, range),
    close: () => file.close(),
  };
}

/** Files in a local folder, which is created on demand. */
export function folderStore(root: string): FileStore {
  const base = resolve(root);
  const partials = join(base, PARTIAL_FOLDER);
  const locate = (path: string): string => {
    if (!isStorable(path)) throw new Error('path outside the file store');
    return join(base, path);
  };

  return {
    async put(path, body) {
      const target = locate(path);
      const folder = dirname(target);
      await mkdir(partials, { recursive: true });
      await mkdir(folder, { recursive: true });
      const partial = join(partials, crypto.randomUUID());
      try {
        await writeFile(partial, body);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      await syncFolder(folder);
    },

    async open(path) {
      const file = await open(locate(path), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return file && opened(file);
    },

    async remove(path) {
      await rm(locate(path), { force: true });
    },

    async *list() {
      const entries = await readdir(base, { recursive: true, withFileTypes: true }).catch(
        (error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        },
      );
      for (const entry of entries) {
        const full = join(entry.parentPath, entry.name);
        if (!entry.isFile() || full.startsWith(partials + sep)) continue;
        const info = await stat(full).catch(() => null);
        if (info) {
          yield { path: relative(base, full).split(sep).join('/'), size: info.size, modifiedAt: info.mtime };
        }
      }
    },

    async sweep(before) {
      let removed = 0;
      for (const name of await readdir(partials).catch(() => [])) {
        const partial = join(partials, name);
        const info = await stat(partial).catch(() => null);
        if (info && info.mtime < before) {
          await rm(partial, { force: true });
          removed += 1;
        }
      }
      return removed;
    },

    async ready() {
      await mkdir(base, { recursive: true });
      await access(base, constants.W_OK);
      return true;
    },
  };
}
