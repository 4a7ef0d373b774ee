import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { ConfigurationError } from '#server/env.ts';
import type { ByteRange, FileStore } from './store.ts';

const PARAMETERS = new Set(['endpoint', 'region']);

/** Bucket and client for `s3://bucket?endpoint=…&region=…`. Credentials come from the usual AWS variables. */
function connect(url: string): { bucket: string; client: S3Client } {
  const { hostname: bucket, pathname, searchParams } = new URL(url);
  if (!bucket || !['', '/'].includes(pathname)) {
    throw new ConfigurationError('FILES_URL', 'must be s3://bucket?endpoint=…&region=…');
  }
  for (const name of searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw new ConfigurationError('FILES_URL', `has an unknown parameter "${name}"`);
  }
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !URL.canParse(endpoint)) {
    throw new ConfigurationError('FILES_URL', 'has an endpoint that is not an address');
  }
  const client = new S3Client({
    region: searchParams.get('region') ?? 'eu-south-1',
    // A self-hosted store is addressed by path, because its buckets seldom have host names.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // A store that does not answer must not block a request, and the invoice it locks, for ever.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 10_000 },
    // Not every S3 store supports the newer checksum headers; TLS and the signature protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { bucket, client };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

/** Files in an S3 bucket. @throws ConfigurationError when `url` is invalid */
export function s3Store(url: string): FileStore {
  const { bucket: Bucket, client } = connect(url);

  async function get(path: string, condition: { IfMatch?: string; Range?: string } = {}) {
    const command = new GetObjectCommand({ Bucket, Key: path, ...condition });
    const { Body, ContentLength, ETag } = await client.send(command);
    if (!(Body instanceof Readable) || ContentLength === undefined || ETag === undefined) {
      throw new Error('The file store answered without a body, its length or its tag');
    }
    return { body: Body, size: ContentLength, etag: ETag };
  }

  return {
    async put(path, body) {
      // Buffers up to 5 MiB. A larger file becomes a multipart upload, which is aborted when it fails.
      const upload = new Upload({
        client,
        params: { Bucket, Key: path, Body: Readable.from(body), ContentType: 'application/pdf' },
        queueSize: 1,
      });
      await upload.done();
    },

    async open(path) {
      // The body is requested at once: a file that is replaced or removed later can still be read to its end.
      const object = await get(path).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (object === null) return null;
      const { body, size, etag } = object;
      const readRange = async function* (range: ByteRange) {
        body.destroy();
        yield* (await get(path, { IfMatch: etag, Range: `bytes=${range.start}-${range.end}` })).body;
      };
      return {
        size,
        etag,
        read: (range) =>
          Readable.toWeb(range ? Readable.from(readRange(range), { objectMode: false }) : body),
        close: async () => {
          body.destroy();
        },
      };
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
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      const stale = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before);
      for (const { Key, UploadId } of stale) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
      return stale.length;
    },

    async ready() {
      await client.send(new HeadBucketCommand({ Bucket }));
      return true;
    },
  };
}
