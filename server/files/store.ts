import type { ReadableStream } from 'node:stream/web';

/** Bytes `start` to `end`, inclusive. */
export type ByteRange = { start: number; end: number };

/** An opened file: the content matches `size` and `etag`, even if the file is replaced meanwhile. */
export type StoredFile = {
  size: number;
  /** A strong HTTP entity tag, including the quotes. */
  etag: string;
  /** Returns the whole file or a range of it. Call it once; the stream closes the file. */
  read(range?: ByteRange): ReadableStream<Uint8Array>;
  /** Closes the file without reading it. */
  close(): Promise<void>;
};

/** A file in a listing. */
export type ListedFile = { path: string; size: number; modifiedAt: Date };

/** A failed operation: the store is unreachable, full or denies access. The reason is the cause. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';
}

/** Stores files. Paths are relative, with forward slashes: `{userId}/{invoiceNumber}_fattura.pdf`. */
export type FileStore = {
  /** Writes the whole stream, or nothing when it fails: readers see the old file or the new one, never a part. */
  put(path: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens a file; null when it does not exist. @throws FileStoreError */
  open(path: string): Promise<StoredFile | null>;
  /** Removes a file; a missing one is not an error. @throws FileStoreError */
  remove(path: string): Promise<void>;
  /** Every file, in no particular order. */
  list(): AsyncIterable<ListedFile>;
  /** Removes the remains of unfinished writes that began before `before`. @returns how many */
  sweep(before: Date): Promise<number>;
  /** Whether files can be written. */
  ready(): Promise<boolean>;
};
