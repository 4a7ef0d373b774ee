import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { expect } from 'vitest';
import { invoiceFilePath } from '#server/features/invoices/commands.ts';
import type { FileStore, StoredFile } from '#server/files/store.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';

/** A store that keeps in `open` the files that are not closed. Cancelling the last read of a file closes it twice. */
function watched(files: FileStore, open: Set<StoredFile>): FileStore {
  const watch = (file: StoredFile): StoredFile => {
    open.add(file);
    return {
      ...file,
      close() {
        open.delete(file);
        return file.close();
      },
      read(range) {
        const reader = file.read(range).getReader();
        return new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              const { value } = await reader.read();
              if (value) return controller.enqueue(value);
              open.delete(file);
              controller.close();
            },
            cancel() {
              open.delete(file);
              return reader.cancel();
            },
          },
          { highWaterMark: 0 },
        );
      },
    };
  };
  return {
    ...files,
    async open(path) {
      const file = await files.open(path);
      return file && watch(file);
    },
  };
}

/** An invoice with a file, as its owner asks for it; `open` has the files of the server that are not closed. */
async function invoiceWithFile(server: TestServer, number: string) {
  const user = await server.make.user();
  const project = await server.make.project(user);
  const fileUrl = invoiceFilePath(user.id, number);
  await server.services.files.put(fileUrl, Readable.from([pdfOf(2_000_000)]));
  await server.make.invoice(user, project, { invoiceNumber: number, fileName: 'fattura.pdf', fileUrl });
  const open = new Set<StoredFile>();
  server.services.files = watched(server.services.files, open);
  return { visitor: await server.as(user), path: `/api/invoices/${number}/file`, open };
}

test('a file that the answer does not contain is closed', async ({ server }) => {
  const { visitor, path, open } = await invoiceWithFile(server, 'FAT1700000000001ABCDEFGH');
  for (const [headers, status] of [
    [{ 'If-None-Match': '*' }, 304],
    [{ Range: 'bytes=2000000-' }, 416],
  ] as const) {
    expect((await visitor.request(path, { headers })).status).toBe(status);
    expect(open.size).toBe(0);
  }
});

test('HEAD has the headers of GET and leaves no file open', async ({ server }) => {
  const file = await invoiceWithFile(server, 'FAT1700000000000ABCDEFGH');
  const { visitor, open } = file;

  const sent = ['Content-Type', 'Content-Disposition', 'Content-Length', 'Content-Range', 'ETag'];
  for (const [path, headers] of [
    [file.path, {}],
    [file.path, { Range: 'bytes=10-19' }],
    ['/api/me/data', {}],
  ] as const) {
    // Before GET, which takes long enough for a file that HEAD would leave open to be opened.
    const head = await visitor.request(path, { method: 'HEAD', headers });
    const whole = await visitor.request(path, { headers });
    expect(head.status).toBe(whole.status);
    for (const name of sent) expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    expect(await head.text()).toBe('');
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(0);
    await until(`every file of ${path} to be closed`, () => open.size === 0);
  }
});
