import type { ReadableStream } from 'node:stream/web';

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/** A stored file, opened: what is read belongs to what `size` and `etag` say, even if it is replaced meanwhile. */
export type StoredFile = {
  size: number;
  /** A strong HTTP entity tag, quotes included. */
  etag: string;
  /** The whole file, or a range of it. Call it once; the stream closes the file. */
  read(range?: ByteRange): ReadableStream<Uint8Array>;
  /** Gives the file up unread. */
  close(): Promise<void>;
};

/** A file in a listing. */
export type ListedFile = { path: string; size: number; modifiedAt: Date };

/** The store could not do what it was asked: it is away, full, or not allowed to. The reason is the cause. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';
}

/** Where files are kept. Paths are relative, with forward slashes: `{userId}/{invoiceNumber}_fattura.pdf`. */
export type FileStore = {
  /** Writes the whole stream, or nothing when it fails: readers see the old file or the new one, never a part. */
  put(path: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens a file; null when there is none. @throws FileStoreError */
  open(path: string): Promise<StoredFile | null>;
  /** Removes a file; one that is not there is no error. @throws FileStoreError */
  remove(path: string): Promise<void>;
  /** Every file, in no particular order. */
  list(): AsyncIterable<ListedFile>;
  /** Removes what writes that began before `before` and never ended have left. @returns how many */
  sweep(before: Date): Promise<number>;
  /** Whether files can be written. */
  ready(): Promise<boolean>;
};
