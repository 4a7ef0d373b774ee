import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '#server/root.ts';
import { makeTestFolder } from '#server/testing/cluster.ts';

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
  const limits = { file: 'file', maxFileBytes: 10_000_000, headBytes: 1_024, folder };
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
