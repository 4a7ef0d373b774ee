import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type StoredObject = { body: Buffer; etag: string; modified: Date; type: string | undefined };
type StoredUpload = { key: string; parts: Map<number, Buffer>; initiated: Date; type: string | undefined };

/** A server for the part of the S3 protocol that the file store uses, over real HTTP on loopback. */
export type S3Server = {
  /** For `FILES_URL`. */
  url: string;
  /** The content type that an object was stored with. */
  typeOf(key: string): string | undefined;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  openUploads(): number;
  /** Begins such an upload, as left by a process that dies in the middle of one. */
  abandonUpload(key: string, initiated: Date): void;
  /** Breaks the connections of the next `count` downloads after half of their content. */
  breakDownloads(count: number): void;
  /** Downloads in progress. */
  openDownloads(): number;
  stop(): Promise<void>;
};

const BUCKET = 'invoices';
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;
const xml = (name: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;

/**
 * Starts an S3 store in memory. The published ones are unmaintained or need a container. This one answers as AWS documents
 * for each call, refuses unsigned requests, and lists two objects or uploads per page to exercise paging.
 */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, StoredUpload>();
  const downloads = new Set<ServerResponse>();
  let toBreak = 0;
  const server = createServer((request, response) => {
    const isDownload = request.method === 'GET' && !request.url?.includes('list-type');
    const breaks = isDownload && toBreak > 0;
    if (breaks) toBreak -= 1;
    if (isDownload) {
      downloads.add(response);
      response.once('close', () => downloads.delete(response));
    }
    answer(request, response, { objects, uploads, breaks }).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://${BUCKET}?endpoint=http://127.0.0.1:${port}&region=eu-south-1`,
    typeOf: (key) => objects.get(key)?.type,
    openUploads: () => uploads.size,
    abandonUpload(key, initiated) {
      uploads.set(randomUUID(), { key, parts: new Map(), initiated, type: undefined });
    },
    breakDownloads(count) {
      toBreak = count;
    },
    openDownloads: () => downloads.size,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    objects,
    uploads,
    breaks,
  }: {
    objects: Map<string, StoredObject>;
    uploads: Map<string, StoredUpload>;
    /** Whether the connection breaks after half of the content. */
    breaks: boolean;
  },
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/');
  const key = rest.join('/');
  const query = url.searchParams;
  const type = request.headers['content-type'];
  const body = await bodyOf(request);
  const fail = (status: number, code: string) => {
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`);
  };
  const send = (status: number, headers: Record<string, string | number> = {}, content?: Buffer | string) => {
    response.writeHead(status, headers);
    if (breaks) response.write(content?.slice(0, content.length / 2) ?? '', () => response.destroy());
    else response.end(content);
  };

  if (!/^AWS4-HMAC-SHA256 Credential=/.test(request.headers.authorization ?? '')) {
    fail(403, 'AccessDenied');
  } else if (bucket !== BUCKET) {
    fail(404, 'NoSuchBucket');
  } else if (key === '') {
    if (request.method === 'HEAD') send(200);
    else if (query.has('uploads'))
      send(
        200,
        {},
        listUploads(uploads, [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? '']),
      );
    else send(200, {}, listObjects(objects, query.get('continuation-token') ?? ''));
  } else if (request.method === 'POST' && query.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map(), initiated: new Date(), type });
    send(200, {}, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`));
  } else if (query.has('uploadId')) {
    const id = query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (!upload || upload.key !== key) {
      fail(404, 'NoSuchUpload');
    } else if (request.method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      send(200, { ETag: etagOf(body) });
    } else if (request.method === 'DELETE') {
      uploads.delete(id);
      send(204);
    } else {
      const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
      const whole = Buffer.concat(parts);
      objects.set(key, { body: whole, etag: etagOf(whole), modified: new Date(), type: upload.type });
      uploads.delete(id);
      send(200, {}, xml('CompleteMultipartUploadResult', `<ETag>${etagOf(whole)}</ETag>`));
    }
  } else if (request.method === 'PUT') {
    objects.set(key, { body, etag: etagOf(body), modified: new Date(), type });
    send(200, { ETag: etagOf(body) });
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    send(204);
  } else {
    const object = objects.get(key);
    if (!object) fail(404, 'NoSuchKey');
    else if (request.headers['if-match'] && request.headers['if-match'] !== object.etag)
      fail(412, 'PreconditionFailed');
    else sendObject(request, send, object);
  }
}

function sendObject(
  request: IncomingMessage,
  send: (status: number, headers: Record<string, string | number>, content?: Buffer) => void,
  { body, etag, modified }: StoredObject,
): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const content = range ? body.subarray(Number(range[1]), Number(range[2]) + 1) : body;
  const headers = { ETag: etag, 'Last-Modified': modified.toUTCString(), 'Content-Length': content.length };
  send(range ? 206 : 200, headers, request.method === 'HEAD' ? undefined : content);
}

const PAGE = 2;

function listObjects(objects: Map<string, StoredObject>, after: string): string {
  const keys = [...objects.keys()].sort().filter((key) => key > after);
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { body, modified } = objects.get(key) ?? { body: Buffer.alloc(0), modified: new Date(0) };
    return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
  });
  const more = keys.length > PAGE;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml('ListBucketResult', `<IsTruncated>${more}</IsTruncated>${next}${contents.join('')}`);
}

/** @param after key and id of the last upload of the page before */
function listUploads(uploads: Map<string, StoredUpload>, after: readonly [key: string, id: string]): string {
  const placeOf = (key: string, id: string) => `${key}\n${id}`;
  const listed = [...uploads]
    .map(([id, upload]) => ({ ...upload, id, place: placeOf(upload.key, id) }))
    .filter(({ place }) => place > placeOf(...after))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const page = listed.slice(0, PAGE);
  const content = page.map(
    ({ key, id, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  const last = listed.length > PAGE ? page.at(-1) : undefined;
  const next = last
    ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
    : '';
  return xml(
    'ListMultipartUploadsResult',
    `<IsTruncated>${last !== undefined}</IsTruncated>${next}${content.join('')}`,
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
