import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '#server/root.ts';
import { makeTestFolder } from '#server/testing/cluster.ts';
import { type Multipart, type ReceivedFile, withMultipart } from './multipart.ts';

/** Receives a file of 2 MB that arrives in pieces of `pieceBytes`, and prints what became of it. */
const RECEIVE = `
  import { withMultipart } from '#server/http/multipart.ts';
  const [folder, pieceBytes] = [process.argv[1], Number(process.argv[2])];
  const form = new FormData();
  form.append('file', new File([Buffer.alloc(2_000_000, 65)], 'fattura.pdf'));
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('Content-Type') };
  const bytes = Buffer.from(await sent.arrayBuffer());
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += pieceBytes)));
    },
  });
  const request = new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' });
  const limits = { maxFileBytes: 10_000_000, headBytes: 1_024, folder };
  const outcome = await withMultipart(request, limits, async ({ file }) => file.size).catch((error) => error.name + ' ' + error.cause?.code);
  console.log(outcome);
`;

// A limit of the file size instead of a small disk, which only root can mount: both first take a part of a piece.
test.each([
  ['in the middle of one piece', 4_000_000],
  ['between two of many pieces', 16_384],
])('an upload for which the disk has no room fails as the server’s fault: %s', async (_where, pieceBytes) => {
  const folder = await makeTestFolder();
  try {
    const limited = 'ulimit -f 1000 && exec "$@"';
    const node = [process.execPath, '--input-type=module', '--eval', RECEIVE, folder, String(pieceBytes)];
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, 'sh', ...node], { cwd: ROOT });
    expect(stdout.trim()).toBe('FileStoreError EFBIG');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('a form', () => {
  const MAX_FILE_BYTES = 100;
  const FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="a.pdf"';

  async function receive<Result>(
    body: BodyInit,
    work: (form: Multipart, folder: string) => Promise<Result>,
    headers: Record<string, string> = {},
  ): Promise<Result> {
    const folder = await makeTestFolder();
    onTestFinished(() => rm(folder, { recursive: true }));
    const init = { method: 'POST', body, headers, duplex: 'half' } as const;
    const request = new Request('http://localhost/', init);
    const limits = { maxFileBytes: MAX_FILE_BYTES, headBytes: 4, folder };
    return withMultipart(request, limits, (form) => work(form, folder));
  }

  const formOf = (...entries: [string, string | File][]) => {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    return form;
  };
  const fileOf = (bytes: number, name: string) => new File(['abcdefghij'.repeat(bytes / 10)], name);

  test('is received with its file, which is read as often as wanted and leaves nothing', async () => {
    const sent = formOf(['nota', 'Città'], ['file', fileOf(50, 'perche\u0301 "sì".pdf')]);
    const whole = new Response(sent);
    const headers = { 'Content-Type': whole.headers.get('Content-Type') ?? '' };
    const bytes = await whole.bytes();
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3));
        controller.close();
      },
    });
    const readTwice = async ({ fields, file }: Multipart, folder: string) => {
      expect(fields).toEqual({ nota: 'Città' });
      const content = Buffer.from('abcdefghij'.repeat(5));
      expect(file).toMatchObject({
        name: 'perché "sì".pdf',
        size: 50,
        digest: createHash('sha256').update(content).digest('hex'),
      });
      expect(Buffer.from(file?.head ?? []).toString()).toBe('abcd');
      for (const _ of [1, 2]) expect(await buffer((file as ReceivedFile).read())).toEqual(content);
      expect(await readdir(folder)).toEqual([]);
      return file as ReceivedFile;
    };
    const kept = await receive(pieces, readTwice, headers);
    // Closed, so the disk has freed it.
    expect(() => kept.read()).toThrow(RangeError);
  });

  test('with a file over the limit keeps one byte more, which shows it', async () => {
    const sizeOf = (bytes: number) =>
      receive(formOf(['file', fileOf(bytes, 'a.pdf')]), async ({ file }) => file?.size);
    expect(await sizeOf(MAX_FILE_BYTES)).toBe(100);
    expect(await sizeOf(MAX_FILE_BYTES * 3)).toBe(101);
  });

  test('tells an empty file from none', async () => {
    const nameOf = (file: File) => receive(formOf(['file', file]), async (form) => form.file?.name ?? null);
    expect(await nameOf(new File([], 'vuota.pdf'))).toBe('vuota.pdf');
    expect(await nameOf(new File([], ''))).toBeNull();
  });

  const fields = (count: number) =>
    formOf(...Array.from({ length: count }, (_, at): [string, string] => [`campo${at}`, 'x']));
  test.for<[string, FormData, string, string | null]>([
    ['two files', formOf(['file', fileOf(10, 'a')], ['file', fileOf(10, 'b')]), 'malformed_upload', 'file'],
    ['a file in another field', formOf(['altro', fileOf(10, 'a')]), 'malformed_upload', 'altro'],
    ['a field twice', formOf(['nota', 'a'], ['nota', 'b']), 'malformed_upload', 'nota'],
    ['a field that is too long', formOf(['nota', 'a'.repeat(16_385)]), 'payload_too_large', 'nota'],
    ['more than thirty fields', fields(31), 'malformed_upload', null],
  ])('with %s is refused, at the field if it is one', async ([, form, code, field]) => {
    await expect(receive(form, async () => 'received')).rejects.toMatchObject({
      code,
      fields: field === null ? undefined : { [field]: expect.any(String) },
    });
  });

  test.for(['a\0b', 'Soggiorno \uFFFD Pescara'])('with %j is refused, naming the field', async (text) => {
    const form = formOf(['titolo', 'Soggiorno'], ['nota', text]);
    await expect(receive(form, async () => 'received')).rejects.toMatchObject({
      code: 'malformed_text',
      fields: { nota: expect.stringContaining('illeggibile') },
    });
  });

  test('with thirty fields and a file is received', async () => {
    const form = fields(30);
    form.append('file', fileOf(10, 'a'));
    expect(await receive(form, async (received) => Object.keys(received.fields).length)).toBe(30);
  });

  test.for<[string, string[]]>([
    ['its file', ['file']],
    ['a file in another field', ['altro']],
    ['a second file', ['file', 'file']],
  ])('that is cut off anywhere in %s is refused', async ([, names]) => {
    const files = names.map((name): [string, File] => [name, fileOf(50, 'a.pdf')]);
    const whole = new Response(formOf(['nota', 'Città'], ...files));
    const headers = { 'Content-Type': whole.headers.get('Content-Type') ?? '' };
    const bytes = await whole.arrayBuffer();
    const codes = [];
    // The last eight bytes are the hyphens and line end of a delimiter that is whole without them.
    for (let length = 0; length < bytes.byteLength - 8; length += 7) {
      const received = receive(bytes.slice(0, length), async () => 'received', headers);
      codes.push(await received.catch(({ code }) => code));
    }
    expect(new Set(codes)).toEqual(new Set(['malformed_upload']));
  });

  test('that arrives at once is received whatever the size of a part that is no field', async () => {
    for (const bytes of [10, 70_000, 140_000]) {
      const lines = ['--b', 'X-Other: 1', '', 'a'.repeat(bytes), '--b', FILE_HEAD, '', 'abc', '--b--', ''];
      const received = await receive(lines.join('\r\n'), async ({ file }) => file?.size, {
        'Content-Type': 'multipart/form-data; boundary=b',
      });
      expect(received).toBe(3);
    }
  });

  test.for<[string, Record<string, string>, string]>([
    ['of another content type', { 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
    ['that names no boundary', { 'Content-Type': 'multipart/form-data; charset=utf-8' }, 'malformed_upload'],
    [
      'that announces more than is read',
      { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '500000' },
      'payload_too_large',
    ],
  ])('%s is refused', async ([, headers, code]) => {
    await expect(receive('--b--\r\n', async () => 'received', headers)).rejects.toMatchObject({ code });
  });
});
