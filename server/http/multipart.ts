import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { z } from 'zod';
import { composed } from '#contract/validation.ts';
import { AppError } from '#server/errors.ts';
import { countTransferred } from '#server/files/buffers.ts';
import { FileStoreError } from '#server/files/store.ts';
import { fieldsOf, unknownField } from './error-answers.ts';
import { bodyMeter, UNREADABLE_CHARACTER } from './requests.ts';

/** A file of a request, kept in an unnamed file on disk that disappears with the process. */
export type ReceivedFile = {
  /** The sender's name for it, without a path; '' without a name. */
  name: string;
  /** Bytes kept: at most one more than the limit, which shows that the file is too large. */
  size: number;
  /** Its first bytes. */
  head: Uint8Array;
  /** SHA-256 of its bytes, in hexadecimal. */
  digest: string;
  /** Reads it from the beginning. */
  read(): AsyncIterable<Uint8Array>;
};

/** The content of a form. `file` is null when no file was chosen. */
export type Multipart = { fields: Record<string, string>; file: ReceivedFile | null };

/**
 * What is accepted: maximum size of the one file, in the field 'file'; how many of its first bytes are kept as `head`;
 * and the folder for the temporary file.
 */
export type MultipartLimits = { maxFileBytes: number; headBytes: number; folder: string };

/** The limits of an upload of one kind of file; while it arrives, it is kept in the data folder. */
export function uploadLimits(
  { env }: { env: { dataDir: string } },
  { maxBytes, headBytes }: { maxBytes: number; headBytes: number },
): MultipartLimits {
  return { maxFileBytes: maxBytes, headBytes, folder: join(env.dataDir, 'uploads') };
}

const MAX_FIELDS = 30;
const MAX_FIELD_BYTES = 16_384;
const MAX_PARTS = MAX_FIELDS + 1;

/**
 * The largest body that is read to its end, so that a browser gets an answer instead of a cut connection: enough for a
 * file a few times too large, but not for a flood.
 */
function maxBodyBytes({ maxFileBytes }: MultipartLimits): number {
  return maxFileBytes * 4 + MAX_FIELDS * MAX_FIELD_BYTES;
}

/**
 * Reads a multipart/form-data request as it arrives: one piece at a time in memory, the file on disk. `work` runs when
 * all of it has arrived; in any case, nothing of the file is left afterwards.
 * @throws AppError unsupported_media_type, malformed_upload (cut off, or not multipart), payload_too_large; FileStoreError
 *   when the disk has no room for the file
 */
export async function withMultipart<Result>(
  request: Request,
  limits: MultipartLimits,
  work: (form: Multipart) => Promise<Result>,
): Promise<Result> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new AppError('unsupported_media_type');
  const boundary = boundaryOf(contentType);
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > maxBodyBytes(limits)) throw new AppError('payload_too_large');
  if (!request.body) throw new AppError('malformed_upload');

  const spool = await openSpool(limits.folder).catch((cause: unknown) => {
    throw notKept(cause);
  });
  try {
    return await work(await receive(request.body, boundary, limits, spool));
  } finally {
    await spool.close();
  }
}

/** Opens a temporary file and removes its name, so that the disk frees it when it is closed or the process dies. */
async function openSpool(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, crypto.randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

function notKept(cause: unknown): FileStoreError {
  return new FileStoreError('an uploaded file could not be kept', { cause });
}

const TOO_LONG = 'Testo troppo lungo';
const REPEATED_FIELD = 'Campo ripetuto: inviane uno solo';
const SECOND_FILE = 'Scegli un solo file';

/** Why a form with these `fields` cannot have this one; null if it can. */
function fieldProblem(
  fields: Record<string, string>,
  name: string,
  value: string,
  truncated: boolean,
): AppError | null {
  if (typeof name !== 'string') return new AppError('malformed_upload');
  if (truncated) return new AppError('payload_too_large', { [name]: TOO_LONG });
  if (Object.hasOwn(fields, name)) return new AppError('malformed_upload', { [name]: REPEATED_FIELD });
  // The parser reads bytes that are not UTF-8 as U+FFFD, also one that was typed.
  return /[\0\uFFFD]/.test(name + value)
    ? new AppError('malformed_text', { [name]: UNREADABLE_CHARACTER })
    : null;
}

/** Why a form cannot have a file in this field: another one, or one that is no file. */
function misplacedFile(name: string | undefined): AppError {
  if (name === undefined) return new AppError('malformed_upload');
  return new AppError('malformed_upload', { [name]: name === 'file' ? SECOND_FILE : unknownField(name) });
}

/** Sends a body through `checked` to `parser`. @throws whatever one of them fails with */
function flow(source: Readable, checked: Writable, parser: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    source.on('error', reject);
    checked.on('error', reject);
    parser.on('error', reject);
    parser.on('finish', resolve);
    source.pipe(checked);
  });
}

async function receive(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  limits: MultipartLimits,
  spool: FileHandle,
): Promise<Multipart> {
  const fields: Record<string, string> = {};
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  let broken: AppError | null = null;
  /** A failure of the disk, not of the sender. */
  let spoolFailure: unknown = null;
  const writing: Promise<ReceivedFile>[] = [];

  const parser = openParser(boundary, limits.maxFileBytes);
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    const problem = fieldProblem(fields, name, value, nameTruncated || valueTruncated);
    if (problem) broken ??= problem;
    else fields[name] = value;
  });
  parser.on('file', (name, stream, fileName) => {
    // Of a refused file, too: a form that ends within it fails its stream, which nobody else listens to.
    stream.on('error', () => source.destroy(new AppError('malformed_upload')));
    if (name !== 'file' || writing.length > 0) {
      broken ??= misplacedFile(name);
      stream.resume();
      return;
    }
    const file = spoolFile(stream, fileName ?? '', limits.headBytes, spool, (error) => {
      spoolFailure = error;
    });
    writing.push(file);
    file.catch(() => source.destroy(new AppError('malformed_upload')));
  });
  parser.on('fieldsLimit', () => source.destroy(new AppError('malformed_upload')));
  const checked = checkedInto(parser, boundary, maxBodyBytes(limits));

  try {
    await flow(source, checked, parser);
  } catch (error) {
    source.destroy();
    if (spoolFailure) throw spoolFailure;
    throw error instanceof AppError ? error : new AppError('malformed_upload');
  }
  if (broken) throw broken;
  const [file = null] = await Promise.all(writing);
  // A browser sends a form without a chosen file as an empty file without a name.
  return { fields, file: file && file.size === 0 && file.name === '' ? null : file };
}

/** What a sender may separate the parts by: RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

/** @throws AppError malformed_upload when the content type names no boundary */
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new AppError('malformed_upload');
  return boundary;
}

/**
 * Passes a body on to `parser` up to its limits. The parts are counted here, before the parser sees the piece that has
 * too many: of the shortest ones a piece contains ten thousand, and the parser would take each of them for a stream.
 */
function checkedInto(parser: Writable, boundary: string, maxBytes: number): Writable {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const meter = bodyMeter(maxBytes);
  let parts = 0;
  /** The last bytes of the pieces before, in which a delimiter may have begun; the first one begins without its CRLF. */
  let before = Buffer.from('\r\n');
  return new Writable({
    write(piece: Uint8Array, _, done) {
      try {
        meter(piece);
        countTransferred(piece.length);
        const text = Buffer.concat([before, piece]);
        let end = 0;
        for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, end)) {
          end = at + delimiter.length;
          parts += 1;
          // The last delimiter ends the body.
          if (parts > MAX_PARTS + 1) throw new AppError('malformed_upload');
        }
        before = text.subarray(Math.max(end, text.length - delimiter.length + 1));
      } catch (error) {
        done(error as AppError);
        return;
      }
      // The next piece waits until the parser has taken this one, and with it the file of which the disk is behind.
      parser.write(piece, done);
    },
    final(done) {
      parser.end();
      done();
    },
  });
}

function openParser(boundary: string, maxFileBytes: number) {
  return new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    // By default 64 KB: of a longer piece that ends within a part that it skips, it would never say that it has taken it.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    limits: {
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fileSize: maxFileBytes + 1,
      headerPairs: 20,
    },
  });
}

/** Undoes how browsers escape characters that would end the quotes of a file name (HTML, multipart/form-data encoding). */
function decodeName(name: string): string {
  return composed(name.replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped)));
}

/** @param onDiskFailure called before the rejection, when the disk and not the sender is the cause */
async function spoolFile(
  stream: BusboyFileStream,
  name: string,
  headBytes: number,
  spool: FileHandle,
  onDiskFailure: (error: unknown) => void,
): Promise<ReceivedFile> {
  const head: Uint8Array[] = [];
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < headBytes) head.push(chunk.subarray(0, headBytes - size));
    digest.update(chunk);
    // Unlike `write`, it continues where a nearly full disk took only a part, and so meets the failure.
    await spool.writeFile(chunk).catch((cause: unknown) => {
      const failure = notKept(cause);
      onDiskFailure(failure);
      throw failure;
    });
    size += chunk.length;
  }
  return {
    name: decodeName(name),
    size,
    head: Buffer.concat(head),
    digest: digest.digest('hex'),
    read: () => spool.createReadStream({ start: 0, autoClose: false, emitClose: true }),
  };
}

/**
 * Parses the fields of a form with `schema`.
 * @throws AppError invalid_input with the message of each wrong field
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Record<string, string>,
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw new AppError('invalid_input', fieldsOf(parsed.error));
  return parsed.data;
}

/**
 * A request body that is a form with `fields` and a file, for the OpenAPI document: the fields as strings. The route itself
 * reads the body as it arrives, with `withMultipart`.
 */
export function formBody(fields: { shape: object } = { shape: {} }) {
  const names = Object.keys(fields.shape);
  const schema = {
    type: 'object' as const,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      file: { type: 'string' as const, format: 'binary' },
    },
  };
  return { required: true, content: { 'multipart/form-data': { schema } } } as const;
}
