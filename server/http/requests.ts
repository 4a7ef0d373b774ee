import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { requestId } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from './env.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Maximum body of a JSON or form request: far above the largest real one. Uploads have a limit of their own. */
const MAX_BODY_BYTES = 1_048_576;
/** Fields of a form body: far more than any form has, while a megabyte with a hundred thousand takes half a second to parse. */
const MAX_FORM_FIELDS = 1000;
/** Pieces in which a body may arrive whatever their size. */
const FREE_PIECES = 1024;
/** What the pieces of a body have on average when there are more; a packet has at least 536 bytes, a real one 1,400. */
const MIN_PIECE_BYTES = 256;

/**
 * Logs and counts the outcome of a request: method, route as declared, status, time, and failure code. Never an
 * address, a body or personal data.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const log = c.get('services').log.child({ requestId: c.get('requestId') });
  c.set('log', log);
  const start = performance.now();
  await next();
  const ms = Math.round((performance.now() - start) * 10) / 10;
  const { method } = c.req;
  const { status } = c.res;
  // Middleware is registered for all methods; the first match for a single method is the route itself.
  const route = matchedRoutes(c).find((candidate) => candidate.method !== 'ALL')?.path ?? 'none';
  c.get('services').metrics.observeRequest({ method, route, status }, ms / 1000);
  const failure = c.get('failure');
  log.info({ method, route, status, ms, ...(failure && { failure }) }, 'request');
});

/** Ends the body of an answer to HEAD, which is not sent: the file or query that it reads from would stay open. */
export const unsentBody = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
});

/** Gives every request an id generated here, never by the client, and sends it as X-Request-Id. */
export const nameRequest = requestId({ limitLength: 0 });

/** Refuses writes that a browser sends from another site, in addition to SameSite cookies. */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (WRITES.has(c.req.method)) {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    if (origin !== undefined && !c.get('services').origins.includes(origin))
      throw new AppError('foreign_origin');
    if (site === 'cross-site') throw new AppError('foreign_origin');
  }
  await next();
});

/** The content type of a request, in lower case and without parameters; undefined when it names none. */
export function contentTypeOf(c: Context<AppEnv>): string | undefined {
  return c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/** For a field with a NUL or, in an upload, with what is not UTF-8. */
export const UNREADABLE_CHARACTER =
  'Contiene un carattere invisibile o illeggibile: cancella il testo e riscrivilo';

/** The deepest path of a field: a list, a place in it, a field of what stands there. */
const FIELD_DEPTH = 3;

/**
 * Refuses parsed JSON in which a string or a key contains a NUL, naming the field that does. Not recursive: nesting may be
 * deeper than the stack.
 */
function refuseNul(json: unknown): void {
  const pending: [value: unknown, path: readonly string[]][] = [[json, []]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && value.includes('\0')) {
      const named = path.length > 0 && path.length <= FIELD_DEPTH;
      throw new AppError('malformed_text', named ? { [path.join('.')]: UNREADABLE_CHARACTER } : undefined);
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, entry] of Object.entries(value)) {
      if (key.includes('\0')) throw new AppError('malformed_text');
      // What is deeper is no field.
      pending.push([entry, path.length > FIELD_DEPTH ? path : [...path, key]]);
    }
  }
}

function decodes(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}

/**
 * Refuses, before any route sees it, what PostgreSQL or a parser could not handle: a URL, JSON or form body that is not
 * UTF-8 or contains a NUL, JSON that does not parse, a body over the limit. Leaves only uploads to their routes, which read
 * them as they arrive and have limits of their own.
 */
export const wellFormedRequest = createMiddleware<AppEnv>(async (c, next) => {
  const url = c.req.url;
  if (!decodes(url)) throw new AppError('malformed_text');
  const type = contentTypeOf(c);
  if (WRITES.has(c.req.method) && type !== 'multipart/form-data') {
    if (Number(c.req.header('content-length') ?? 0) > MAX_BODY_BYTES) throw new AppError('payload_too_large');
    const bytes = await readBounded(c.req.raw.body);
    // Hono stores promises here, contrary to the declared type; the routes read the body from this cache.
    Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(bytes.buffer) });
    if (type === 'application/json') {
      const text = decodeUtf8(bytes);
      Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
      if (text.includes('\\u0000')) refuseNul(parseJson(text));
    }
    if (type === 'application/x-www-form-urlencoded') {
      const text = decodeUtf8(bytes);
      if (!decodes(text)) throw new AppError('malformed_text');
      if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
        throw new AppError('payload_too_large');
    }
  }
  await next();
});

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('malformed_text');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_json');
  }
}

/**
 * Counts a body as it arrives. A sender can cut it into pieces of one byte (chunked transfer coding): a megabyte of them
 * takes seconds of processor time and hundreds of megabytes of memory.
 * @returns adds a piece. @throws AppError payload_too_large when the body has more than `most` bytes or too many pieces
 */
export function bodyMeter(most: number): (piece: Uint8Array) => void {
  let size = 0;
  let pieces = 0;
  return (piece) => {
    size += piece.length;
    pieces += 1;
    const crumbs = pieces > FREE_PIECES && size < pieces * MIN_PIECE_BYTES;
    if (size > most || crumbs) throw new AppError('payload_too_large');
  };
}

/** @throws AppError payload_too_large, malformed_json when the client disconnects */
async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const meter = bodyMeter(MAX_BODY_BYTES);
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      meter(chunk);
      size += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('malformed_json');
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
