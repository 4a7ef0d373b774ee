import type { Context } from 'hono';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { ByteRange, StoredFile } from '#server/files/store.ts';
import type { AppEnv } from './env.ts';

/** How a file is sent: the name to save it under, its type, and how long a browser may cache it, in seconds. */
export type FileAnswer = {
  name: string;
  type: string;
  disposition: 'attachment' | 'inline';
  maxAge: number;
};

/**
 * The single range that a request asks for; null for the whole file (no range, several, or a malformed one, which RFC
 * 9110 says to ignore), 'unsatisfiable' when it lies outside the file.
 */
function parseRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Content-Disposition header (RFC 6266) with the name twice: in ASCII for the oldest programs, and exact. */
export function contentDisposition(disposition: 'attachment' | 'inline', name: string): string {
  const ascii =
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%]/g, '_') || 'file';
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** The answers of `answerFile`, for the OpenAPI document. */
export function fileAnswers(description: string) {
  return {
    200: { description },
    206: { description: 'The range asked for' },
    304: { description: 'The caller has it already' },
    416: { description: 'The range asked for lies outside the file' },
  } as const;
}

/** The failures of `answerFile`. */
export const FILE_FAILURES = ['file_missing', 'files_unavailable'] as const satisfies ErrorCode[];

/**
 * Sends the file stored at `path`: whole, a range of it (206, 416), or 304 when the client has it already.
 * @throws AppError file_missing when there is none
 */
export async function answerFile(c: Context<AppEnv>, path: string, answer: FileAnswer): Promise<Response> {
  const file = await c.get('services').files.open(path);
  if (!file) throw new AppError('file_missing');
  return answerOpened(c, file, answer);
}

/** The file of a record; both null while it has none. */
type Filed = { fileName: string | null; fileUrl: string | null };

/**
 * Sends the file of the record that `find` reads. A replaced file is stored under another path and the former one is
 * removed; if the file is gone, the record is therefore read again.
 * @throws AppError not_found when there is no such record, file_missing when it has no file
 */
export async function answerFileOf(
  c: Context<AppEnv>,
  find: () => Promise<Filed | null>,
  { name, ...answer }: FileAnswer,
): Promise<Response> {
  let gone: string | null = null;
  for (;;) {
    const record = await find();
    if (!record) throw new AppError('not_found');
    const { fileUrl, fileName } = record;
    if (fileUrl === null || fileUrl === gone) throw new AppError('file_missing');
    const file = await c.get('services').files.open(fileUrl);
    if (file) return answerOpened(c, file, { ...answer, name: fileName ?? name });
    gone = fileUrl;
  }
}

async function answerOpened(c: Context<AppEnv>, file: StoredFile, answer: FileAnswer): Promise<Response> {
  const headers: Record<string, string> = {
    'Content-Type': answer.type,
    'Content-Disposition': contentDisposition(answer.disposition, answer.name),
    'Cache-Control': `private, max-age=${answer.maxAge}`,
    'Accept-Ranges': 'bytes',
    ETag: file.etag,
  };
  const known = c.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === file.etag || tag === '*')) {
    await file.close();
    return c.body(null, 304, headers);
  }
  const condition = c.req.header('if-range');
  const range =
    condition === undefined || condition === file.etag ? parseRange(c.req.header('range'), file.size) : null;
  if (range === 'unsatisfiable') {
    await file.close();
    return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${file.size}` });
  }
  const length = range ? range.end - range.start + 1 : file.size;
  headers['Content-Length'] = String(length);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${file.size}`;
  return c.body(file.read(range ?? undefined) as ReadableStream, range ? 206 : 200, headers);
}
