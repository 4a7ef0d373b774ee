import { extname } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { ConfigurationError } from '#server/env.ts';
import type { ByteRange, FileStore, StoredFile } from './store.ts';

const UNLIMITED = { maxSockets: Number.POSITIVE_INFINITY };

const PARAMETERS = new Set(['endpoint', 'region']);

/** A bucket, and the client that reaches it. */
type Connection = { Bucket: string; client: S3Client };

/** For `s3://bucket?endpoint=…&region=…`. Credentials come from the usual AWS variables. */
function connect(url: string): Connection {
  const { hostname: Bucket, pathname, searchParams } = new URL(url);
  if (!Bucket || !['', '/'].includes(pathname)) {
    throw new ConfigurationError('FILES_URL', 'must be s3://bucket?endpoint=…&region=…');
  }
  for (const name of searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw new ConfigurationError('FILES_URL', `has an unknown parameter "${name}"`);
  }
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    throw new ConfigurationError('FILES_URL', 'has an endpoint that is not an http or https address');
  }
  const client = new S3Client({
    region: searchParams.get('region') ?? 'eu-south-1',
    // A self-hosted store is addressed by path, because its buckets seldom have host names.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // A store that does not answer must not block a request, and the invoice it locks, for ever.
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 10_000,
      // By default 50: as many browsers that read slowly would keep all others waiting, and /readyz.
      httpAgent: UNLIMITED,
      httpsAgent: UNLIMITED,
    },
    // Not every S3 store supports the newer checksum headers; TLS and the signature protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { Bucket, client };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

/** What the store keeps by extension: PDFs and profile pictures. */
const TYPES: Readonly<Record<string, string>> = { '.pdf': 'application/pdf', '.webp': 'image/webp' };

async function get(
  { Bucket, client }: Connection,
  path: string,
  condition: { IfMatch?: string; Range?: string } = {},
) {
  const command = new GetObjectCommand({ Bucket, Key: path, ...condition });
  const { Body, ContentLength, ETag } = await client.send(command);
  if (!(Body instanceof Readable) || ContentLength === undefined || ETag === undefined) {
    throw new Error('The file store answered without a body, its length or its tag');
  }
  return { body: Body, size: ContentLength, etag: ETag };
}

/**
 * Reads a range, and continues with a new request where the connection breaks: the socket timeout also ends one whose
 * reader pauses, as for a browser on a slow line.
 * @param first the answer to a request for the whole range, if there is one
 * @throws when nothing more arrives, or the file was replaced or removed meanwhile
 */
async function* readOn(
  from: Connection,
  path: string,
  etag: string,
  { start, end }: ByteRange,
  first: Readable | null,
) {
  let body = first;
  let position = start;
  let broke = -1;
  while (position <= end) {
    body ??= (await get(from, path, { IfMatch: etag, Range: `bytes=${position}-${end}` })).body;
    const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await pieces.next().catch((error: unknown) => {
          if (position === broke) throw error;
        });
        if (!next || next.done) break;
        position += next.value.length;
        yield next.value;
      }
    } finally {
      body.destroy();
    }
    broke = position;
    body = null;
  }
}

/** A file whose body was requested at once: if it is replaced or removed later, it can still be read to its end. */
function opened(
  from: Connection,
  path: string,
  { body, size, etag }: Awaited<ReturnType<typeof get>>,
): StoredFile {
  return {
    size,
    etag,
    read(range) {
      if (range) body.destroy();
      const pieces = readOn(from, path, etag, range ?? { start: 0, end: size - 1 }, range ? null : body);
      const stream = Readable.from(pieces, { objectMode: false });
      // If the reader goes away before the first piece, nothing of `readOn` runs.
      return Readable.toWeb(stream.once('close', () => body.destroy()));
    },
    close: async () => {
      body.destroy();
    },
  };
}

/** Multipart uploads that were neither completed nor aborted. The store tells at most a thousand at a time. */
async function* unfinishedUploads({ Bucket, client }: Connection) {
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (after) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, ...after }),
    );
    yield* page.Uploads ?? [];
    after = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : null;
  }
}

/** Files in an S3 bucket. @throws ConfigurationError when `url` is invalid */
export function s3Store(url: string): FileStore {
  const connection = connect(url);
  const { Bucket, client } = connection;

  return {
    async put(path, body) {
      // Buffers up to 5 MiB. A larger file becomes a multipart upload, which is aborted when it fails.
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key: path,
          Body: Readable.from(body),
          ContentType: TYPES[extname(path)] ?? 'application/octet-stream',
        },
        queueSize: 1,
      });
      await upload.done();
    },

    async open(path) {
      const object = await get(connection, path).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return object && opened(connection, path, object);
    },

    async remove(path) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: path }));
    },

    async *list() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key !== undefined)
            yield { path: Key, size: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
        }
      }
    },

    async sweep(before) {
      let removed = 0;
      for await (const { Key, UploadId, Initiated } of unfinishedUploads(connection)) {
        if (Initiated === undefined || Initiated >= before) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        removed += 1;
      }
      return removed;
    },

    async ready() {
      await client.send(new HeadBucketCommand({ Bucket }));
      return true;
    },
  };
}
