import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeTestFolder } from '#server/testing/cluster.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { type S3Server, startS3Server } from '#server/testing/s3-server.ts';
import { openFileStore } from './open-store.ts';
import { type FileStore, FileStoreError } from './store.ts';

const EIGHT_MEBIBYTES = 8 * 1024 * 1024;
let folder = '';
let s3: S3Server;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  folder = await makeTestFolder();
  s3 = await startS3Server();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
  await rm(folder, { recursive: true });
});

const stores: Record<string, () => FileStore> = {
  'a local folder': () => openFileStore(null, folder),
  S3: () => openFileStore(s3.url, folder),
};

async function read(store: FileStore, path: string): Promise<Buffer | null> {
  const file = await store.open(path);
  return file && buffer(file.read());
}

async function pathsOf(store: FileStore): Promise<string[]> {
  const paths = [];
  for await (const { path } of store.list()) paths.push(path);
  return paths.sort();
}

async function* breaksAfter(bytes: number): AsyncIterable<Uint8Array> {
  yield pdfOf(bytes);
  throw new Error('the sender went away');
}

describe.each(Object.keys(stores))('files in %s', (name) => {
  const open = () => stores[name]?.() ?? openFileStore(null, folder);

  test('are read back unchanged, whole and in ranges, small and multipart', async () => {
    const store = open();
    for (const size of [0, 1, 5000, EIGHT_MEBIBYTES]) {
      const content = Buffer.from(pdfOf(size));
      await store.put('a/file.pdf', Readable.from([content.subarray(0, 900), content.subarray(900)]));
      expect((await read(store, 'a/file.pdf'))?.equals(content)).toBe(true);
    }
    const file = await store.open('a/file.pdf');
    expect(file?.size).toBe(EIGHT_MEBIBYTES);
    expect((await buffer(file?.read({ start: 1, end: 4 }) ?? Readable.from([]))).toString()).toBe('PDF-');
  });

  test('are replaced as a whole, under a new ETag', async () => {
    const store = open();
    await store.put('b/file.pdf', Readable.from([pdfOf(100)]));
    const before = await store.open('b/file.pdf');
    await before?.close();
    await store.put('b/file.pdf', Readable.from([pdfOf(50)]));
    const after = await store.open('b/file.pdf');
    await after?.close();
    expect(after?.size).toBe(50);
    expect(after?.etag).not.toBe(before?.etag);
  });

  test.each(['replaced', 'removed'])('are read to the end even if %s after opening', async (change) => {
    const store = open();
    const content = Buffer.from(pdfOf(EIGHT_MEBIBYTES));
    await store.put('f/file.pdf', Readable.from([content]));
    const opened = await store.open('f/file.pdf');
    if (change === 'replaced') await store.put('f/file.pdf', Readable.from([pdfOf(50)]));
    else await store.remove('f/file.pdf');
    expect((await buffer(opened?.read() ?? Readable.from([]))).equals(content)).toBe(true);
  });

  test('stay unchanged when a write is aborted, and no partial file remains', async () => {
    const store = open();
    await store.put('c/file.pdf', Readable.from([pdfOf(70)]));
    const paths = await pathsOf(store);
    for (const bytes of [10, EIGHT_MEBIBYTES]) {
      await expect(store.put('c/file.pdf', breaksAfter(bytes))).rejects.toThrow('the sender went away');
      await expect(store.put('c/new.pdf', breaksAfter(bytes))).rejects.toThrow('the sender went away');
    }
    expect((await read(store, 'c/file.pdf'))?.length).toBe(70);
    expect(await pathsOf(store)).toEqual(paths);
    expect(await store.sweep(new Date(Date.now() + 60_000))).toBe(0);
  });

  test('are listed across pages, and removed', async () => {
    const store = open();
    const paths = ['d/1.pdf', 'd/2.pdf', 'd/3.pdf', 'd/4.pdf', 'd/5.pdf'];
    for (const path of paths) await store.put(path, Readable.from([pdfOf(10)]));
    expect((await pathsOf(store)).filter((path) => path.startsWith('d/'))).toEqual(paths);
    for (const path of paths) await store.remove(path);
    await store.remove('d/1.pdf');
    expect((await pathsOf(store)).filter((path) => path.startsWith('d/'))).toEqual([]);
    expect(await store.open('d/1.pdf')).toBeNull();
    expect(await store.ready()).toBe(true);
  });
});

test.for([
  ['s3://', 'FILES_URL must be s3://bucket?endpoint=…&region=…'],
  ['s3://bucket/folder', 'FILES_URL must be s3://bucket?endpoint=…&region=…'],
  ['s3://bucket?regin=eu-south-1', 'FILES_URL has an unknown parameter "regin"'],
  ['s3://bucket?endpoint=storage', 'FILES_URL has an endpoint that is not an http or https address'],
  ['s3://bucket?endpoint=ftp://storage', 'FILES_URL has an endpoint that is not an http or https address'],
] as const)('an address without a usable store is refused at the start: %s', ([url, message]) => {
  expect(() => openFileStore(url, folder)).toThrow(message);
});

test('S3 keeps the content type of PDFs and profile pictures', async () => {
  const store = openFileStore(s3.url, folder);
  const stored = { 'h/file.pdf': 10, 'h/large.pdf': EIGHT_MEBIBYTES, 'pictures/h.webp': 10 };
  for (const [path, size] of Object.entries(stored)) await store.put(path, Readable.from([pdfOf(size)]));
  expect(Object.keys(stored).map((path) => s3.typeOf(path))).toEqual([
    'application/pdf',
    'application/pdf',
    'image/webp',
  ]);
});

describe('a download from S3', () => {
  const content = Buffer.from(pdfOf(EIGHT_MEBIBYTES));

  test.each([undefined, { start: 1000, end: EIGHT_MEBIBYTES - 2 }])(
    'continues where the connection broke (range %o)',
    async (range) => {
      const store = openFileStore(s3.url, folder);
      await store.put('g/file.pdf', Readable.from([content]));
      s3.breakDownloads(3);
      const file = await store.open('g/file.pdf');
      const whole = content.subarray(range?.start, range && range.end + 1);
      expect((await buffer(file?.read(range) ?? Readable.from([]))).equals(whole)).toBe(true);
    },
  );

  test('does not wait for many others whose readers pause', async () => {
    const store = openFileStore(s3.url, folder);
    await store.put('g/file.pdf', Readable.from([content]));
    const files = await Promise.all(Array.from({ length: 51 }, () => store.open('g/file.pdf')));
    // Had the last one waited, the timeout would have closed the first.
    expect(s3.openDownloads()).toBe(files.length);
    await Promise.all(files.map((file) => file?.close()));
  });

  test('fails if nothing more arrives, however often it is continued', async () => {
    const store = openFileStore(s3.url, folder);
    await store.put('g/file.pdf', Readable.from([pdfOf(1000)]));
    s3.breakDownloads(100);
    const file = await store.open('g/file.pdf');
    await expect(buffer(file?.read() ?? Readable.from([]))).rejects.toThrow();
    s3.breakDownloads(0);
  });

  test('fails if the file was replaced before the connection broke', async () => {
    const store = openFileStore(s3.url, folder);
    await store.put('g/file.pdf', Readable.from([content]));
    s3.breakDownloads(1);
    const file = await store.open('g/file.pdf');
    await store.put('g/file.pdf', Readable.from([pdfOf(EIGHT_MEBIBYTES - 1)]));
    await expect(buffer(file?.read() ?? Readable.from([]))).rejects.toThrow();
  });
});

test('a sweep removes what a killed process left half-written', async () => {
  const local = openFileStore(null, folder);
  await local.put('e/file.pdf', Readable.from([pdfOf(10)]));
  await writeFile(join(folder, 'files/.partial/left-behind'), 'half');
  const remote = openFileStore(s3.url, folder);
  // More than the store lists at a time, and two of one file.
  for (const path of ['e/1.pdf', 'e/2.pdf', 'e/2.pdf', 'e/3.pdf', 'e/4.pdf'])
    s3.abandonUpload(path, new Date(Date.now() - 60_000));
  const soon = new Date(Date.now() + 60_000);
  expect(await pathsOf(local)).not.toContain('.partial/left-behind');
  expect([await local.sweep(new Date(0)), await remote.sweep(new Date(0))]).toEqual([0, 0]);
  expect([await local.sweep(soon), await remote.sweep(soon)]).toEqual([1, 5]);
  expect(s3.openUploads()).toBe(0);
});

test('a file in a folder whose size cannot be read is closed', async () => {
  const store = openFileStore(null, folder);
  await store.put('h/file.pdf', Readable.from([pdfOf(10)]));
  const handle = await open(join(folder, 'files/h/file.pdf'));
  await handle.close();
  let opened: FileHandle | undefined;
  const stat = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'stat');
  stat.mockImplementationOnce(async function fail(this: FileHandle) {
    opened = this;
    throw new Error('EIO');
  });
  await expect(store.open('h/file.pdf')).rejects.toThrow(FileStoreError);
  stat.mockRestore();
  expect(opened?.fd).toBe(-1);
});

test('a file in a folder is closed when it was read to its end', async () => {
  const store = openFileStore(null, folder);
  await store.put('i/file.pdf', Readable.from([pdfOf(10)]));
  const handle = await open(join(folder, 'files/i/file.pdf'));
  await handle.close();
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  const stat = vi.spyOn(handles, 'stat');
  const file = await store.open('i/file.pdf');
  const opened = stat.mock.contexts[0] as FileHandle;
  stat.mockRestore();
  expect(opened.fd).toBeGreaterThan(0);
  await buffer(file?.read() ?? Readable.from([]));
  expect(opened.fd).toBe(-1);
});

test('a file in a folder that is cut short while it is read fails, and is closed', async () => {
  const store = openFileStore(null, folder);
  await store.put('j/file.pdf', Readable.from([pdfOf(10)]));
  const handle = await open(join(folder, 'files/j/file.pdf'), 'r+');
  const stat = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'stat');
  const file = await store.open('j/file.pdf');
  const opened = stat.mock.contexts[0] as FileHandle;
  stat.mockRestore();
  await handle.truncate(4);
  await handle.close();
  await expect(buffer(file?.read() ?? Readable.from([]))).rejects.toThrow('shorter');
  expect(opened.fd).toBe(-1);
});

test('there is no file below a file in a folder', async () => {
  const store = openFileStore(null, folder);
  await store.put('l/file.pdf', Readable.from([pdfOf(10)]));
  expect(await store.open('l/file.pdf/other.pdf')).toBeNull();
});

test('a path outside the folder is refused', async () => {
  const store = openFileStore(null, folder);
  for (const path of ['../outside.pdf', 'a/../../outside.pdf', 'a/./file.pdf', '/etc/passwd', '.partial/x']) {
    await expect(store.put(path, Readable.from([pdfOf(10)]))).rejects.toThrow('outside the file store');
  }
});

test.each(['s3://', 's3://bucket/path', 's3://bucket?endpoint=nowhere', 's3://bucket?password=secret'])(
  'FILES_URL=%s is refused',
  (url) => {
    expect(() => openFileStore(url, folder)).toThrow(/^FILES_URL /);
  },
);
