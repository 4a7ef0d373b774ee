import { request } from 'node:http';
import { describe, expect, vi } from 'vitest';
import { errorBodySchema } from '#contract/error-body.ts';
import { spentToDate, storedPaths } from './invoice-facts.ts';
import { pdfFile } from './invoice-form.ts';
import { pdfOf } from './pdf.ts';
import { testWith } from './test.ts';
import { until } from './until.ts';

/** A `test` with an invoice without a file, its customer and the clerk, on an application with these variables. */
export function invoiceFileTest(variables: Record<string, string> = {}) {
  return testWith(variables).extend('desk', async ({ server }) => {
    const customer = await server.make.user();
    const project = await server.make.project(customer);
    const { invoiceNumber: number } = await server.make.invoice(customer, project);
    const clerk = await server.as(await server.make.invoiceAdmin());
    const path = `/api/admin/invoices/${number}/file`;
    /** @param from the PDF that the upload replaces, as in `invoiceFileFromSchema` */
    const put = (file: File | null, from?: string) => {
      const body = new FormData();
      if (file) body.append('file', file);
      else body.append('other', '');
      const query = from === undefined ? '' : `?from=${encodeURIComponent(from)}`;
      return clerk.request(path + query, { method: 'PUT', body });
    };
    return { customer, project, number, clerk, path, put };
  });
}

/** The Italian text of a refusal. */
export async function messageOf(response: Response): Promise<string> {
  return errorBodySchema.parse(await response.json()).error.message;
}

/** Tests of an invoice's PDF for any file store. Call it once in a test file. */
export function testInvoiceFiles(test: ReturnType<typeof invoiceFileTest>): void {
  describe('the PDF of an invoice', () => {
    test('is uploaded, replaced and removed without leaving files', async ({ server, desk }) => {
      expect(await messageOf(await desk.clerk.request(desk.path))).toBe('Nessun file disponibile');
      expect(await (await desk.put(pdfFile(pdfOf(100), 'uno.pdf'))).json()).toMatchObject({
        fileName: 'uno.pdf',
      });
      const stored = await storedPaths(server, desk.customer);
      expect(stored).toEqual([
        expect.stringMatching(RegExp(`^${desk.customer.id}/${desk.number}_[-0-9a-f]{36}_fattura\\.pdf$`)),
      ]);
      // The accent as macOS writes it, as a character of its own.
      expect(await (await desk.put(pdfFile(pdfOf(60), '../due "e\u0300".pdf'))).json()).toMatchObject({
        fileName: 'due è.pdf',
      });
      const after = await storedPaths(server, desk.customer);
      expect([after.length, after.includes(String(stored[0]))]).toEqual([1, false]);
      const replaced = await desk.clerk.request(desk.path);
      expect(replaced.headers.get('content-disposition')).toBe(
        `attachment; filename="due e.pdf"; filename*=UTF-8''due%20%C3%A8.pdf`,
      );
      expect((await replaced.arrayBuffer()).byteLength).toBe(60);

      expect((await desk.clerk.request(desk.path, { method: 'DELETE' })).status).toBe(200);
      expect(await storedPaths(server, desk.customer)).toEqual([]);
      expect(await messageOf(await desk.clerk.request(desk.path, { method: 'DELETE' }))).toBe(
        'Nessun file disponibile',
      );
      const history = await desk.clerk.request(`/api/admin/invoices/${desk.number}/events`);
      const { items } = (await history.json()) as { items: { action: string }[] };
      expect(items.map(({ action }) => action)).toEqual(['file_uploaded', 'file_replaced', 'file_deleted']);
    });

    test('is accepted and stored once when an upload is repeated after a lost response', async ({
      server,
      desk,
    }) => {
      const put = (bytes: number, name: string) => desk.put(pdfFile(pdfOf(bytes), name), '');
      expect((await put(100, 'mia.pdf')).status).toBe(200);
      const stored = await storedPaths(server, desk.customer);
      const repeated = await put(100, 'mia.pdf');
      expect(repeated.status).toBe(200);
      expect(await repeated.json()).toMatchObject({ fileName: 'mia.pdf', fileUrl: stored[0] });
      expect((await put(101, 'mia.pdf')).status).toBe(409);
      expect((await put(100, 'altra.pdf')).status).toBe(409);
      const sameLength = pdfOf(100);
      sameLength[99] = 33;
      expect((await desk.put(pdfFile(sameLength, 'mia.pdf'), '')).status).toBe(409);
      expect(await storedPaths(server, desk.customer)).toEqual(stored);
      const history = await desk.clerk.request(`/api/admin/invoices/${desk.number}/events`);
      expect(await history.json()).toMatchObject({ items: [{ action: 'file_uploaded' }] });
    });

    test('is refused with its own message if missing, empty, not a PDF or too large', async ({ desk }) => {
      const answers = [];
      for (const file of [
        null,
        pdfFile(new Uint8Array(0)),
        pdfFile(new Uint8Array(50)),
        pdfFile(pdfOf(10_485_761)),
      ]) {
        answers.push(await messageOf(await desk.put(file)));
      }
      expect(answers).toEqual([
        'Nessun file disponibile',
        'Il file è vuoto',
        'Solo file PDF sono permessi',
        'Il file non può essere più grande di 10MB',
      ]);
      expect((await desk.put(pdfFile(pdfOf(10_485_760)))).status).toBe(200);
      expect((await desk.clerk.request(desk.path, { method: 'HEAD' })).headers.get('content-length')).toBe(
        '10485760',
      );
    });

    test('keeps its own name when two are uploaded at once', async ({ server, desk }) => {
      for (let round = 0; round < 5; round += 1) {
        const files = [pdfFile(pdfOf(70_000), 'settanta.pdf'), pdfFile(pdfOf(90_000), 'novanta.pdf')];
        const answers = await Promise.all(files.map((file) => desk.put(file)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        const kept = await desk.clerk.request(desk.path);
        const named = kept.headers.get('content-disposition')?.includes('settanta') ? 70_000 : 90_000;
        expect((await kept.arrayBuffer()).byteLength).toBe(named);
        expect(await storedPaths(server, desk.customer)).toHaveLength(1);
      }
    });

    test('that is replaced as a download starts is served whole under its own name', async ({
      server,
      desk,
    }) => {
      const { files } = server.services;
      await desk.put(pdfFile(pdfOf(100), 'prima.pdf'));
      const owner = await server.as(desk.customer);
      const open = vi.spyOn(files, 'open').mockImplementationOnce(async (path) => {
        await desk.put(pdfFile(pdfOf(60), 'dopo.pdf'));
        return files.open(path);
      });
      const answer = await owner.request(`/api/invoices/${desk.number}/file`);
      open.mockRestore();
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
        200,
        expect.stringContaining('dopo.pdf'),
      ]);
      expect((await answer.arrayBuffer()).byteLength).toBe(60);
    });

    test('does not block its invoice while the store is slow, and respects changes made meanwhile', async ({
      server,
      desk,
    }) => {
      const { files } = server.services;
      const meanwhile = (work: () => Promise<unknown>) =>
        vi.spyOn(files, 'put').mockImplementationOnce(async (path, body) => {
          await files.put(path, body);
          await work();
        });
      const requireUnlocked = () =>
        server.make.sql('select from invoices where invoice_number = $1 for update nowait', [desk.number]);
      const replaced = meanwhile(async () => {
        await requireUnlocked();
        expect((await desk.put(pdfFile(pdfOf(60), 'svelta.pdf'))).status).toBe(200);
      });
      const removed = vi.spyOn(files, 'remove').mockImplementationOnce(async (path) => {
        await requireUnlocked();
        await files.remove(path);
      });
      expect((await desk.put(pdfFile(pdfOf(100), 'lenta.pdf'))).status).toBe(200);
      replaced.mockRestore();
      removed.mockRestore();
      const kept = await desk.clerk.request(desk.path);
      expect(kept.headers.get('content-disposition')).toContain('lenta.pdf');
      expect((await kept.arrayBuffer()).byteLength).toBe(100);
      expect(await storedPaths(server, desk.customer)).toHaveLength(1);

      const deleted = meanwhile(() =>
        server.make.sql('delete from invoices where invoice_number = $1', [desk.number]),
      );
      expect(await messageOf(await desk.put(pdfFile(pdfOf(100))))).toBe('Elemento non trovato');
      deleted.mockRestore();
      // The file of the earlier upload, which the deletion of only the row leaves.
      expect(await storedPaths(server, desk.customer)).toHaveLength(1);
    });

    test('is served in ranges, conditionally, and only to authorised users', async ({ server, desk }) => {
      await desk.put(pdfFile(pdfOf(1000)));
      const owner = await server.as(desk.customer);
      const own = `/api/invoices/${desk.number}/file`;
      const part = await owner.request(own, { headers: { Range: 'bytes=0-4' } });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        'bytes 0-4/1000',
        '%PDF-',
      ]);
      const tail = await owner.request(own, { headers: { Range: 'bytes=-10' } });
      expect([tail.status, tail.headers.get('content-range')]).toEqual([206, 'bytes 990-999/1000']);
      for (const [range, expected] of [
        ['bytes=990-5000', 'bytes 990-999/1000'],
        ['bytes=-5000', 'bytes 0-999/1000'],
        ['bytes=999-999', 'bytes 999-999/1000'],
      ] as const) {
        const answer = await owner.request(own, { headers: { Range: range } });
        expect([answer.status, answer.headers.get('content-range')]).toEqual([206, expected]);
        const [, first, last] = /(\d+)-(\d+)/.exec(expected) ?? [];
        expect((await answer.arrayBuffer()).byteLength).toBe(Number(last) - Number(first) + 1);
      }
      // Not a range, or several, so that it is ignored.
      for (const range of ['bytes=19-10', 'bytes=-', 'bytes=0-1,5-9', 'lines=0-4'])
        expect((await owner.request(own, { headers: { Range: range } })).status).toBe(200);
      expect((await owner.request(own, { headers: { Range: 'bytes=-0' } })).status).toBe(416);
      const beyond = await owner.request(own, { headers: { Range: 'bytes=1000-' } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
      const whole = await owner.request(own);
      expect(whole.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(whole.headers.get('accept-ranges')).toBe('bytes');
      const etag = whole.headers.get('etag') ?? '';
      for (const known of [etag, `"other", W/${etag}`, '*'])
        expect((await owner.request(own, { headers: { 'If-None-Match': known } })).status).toBe(304);
      // The rest of a download that broke off, unless the file has changed since.
      const rest = async (from: string) =>
        (await owner.request(own, { headers: { Range: 'bytes=5-', 'If-Range': from } })).status;
      expect([await rest(etag), await rest('"other"')]).toEqual([206, 200]);
      expect((await owner.request(own, { method: 'HEAD' })).headers.get('content-length')).toBe('1000');

      const stranger = await server.as(await server.make.user());
      const admin = await server.as(await server.make.user({ role: 'admin' }));
      const refused = await stranger.request(own);
      expect([refused.status, await messageOf(refused)]).toEqual([404, 'Elemento non trovato']);
      expect((await admin.request(own)).status).toBe(404);
      expect((await stranger.request(desk.path)).status).toBe(403);
      expect((await admin.request(desk.path)).status).toBe(403);
      expect((await server.anonymous().request(own)).status).toBe(401);
    });

    test('is deleted with its invoice', async ({ server, desk }) => {
      await desk.put(pdfFile(pdfOf(100)));
      const owner = await server.as(desk.customer);
      expect((await owner.request(`/api/invoices/${desk.number}`, { method: 'DELETE' })).status).toBe(204);
      expect(await storedPaths(server, desk.customer)).toEqual([]);
      expect(await spentToDate(server, desk.project.id)).toBe('0.00');
      expect(await messageOf(await desk.put(pdfFile(pdfOf(100))))).toBe('Elemento non trovato');
      expect(await storedPaths(server, desk.customer)).toEqual([]);
    });
  });

  describe('an incomplete upload', () => {
    const START = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n%PDF-1.7 ';

    test('is refused when its end is missing', async ({ server, desk }) => {
      const cut = await desk.clerk.request(desk.path, {
        method: 'PUT',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: START,
      });
      expect([cut.status, await messageOf(cut)]).toEqual([400, 'Il caricamento non è completo. Riprova.']);
      expect(await storedPaths(server, desk.customer)).toEqual([]);
    });

    test('is refused when it is not a form', async ({ desk }) => {
      for (const [type, status] of [
        ['application/pdf', 415],
        ['multipart/form-data', 415],
        ['multipart/form-data; boundary=', 400],
      ] as const) {
        const answer = await desk.clerk.request(desk.path, {
          method: 'PUT',
          headers: { 'Content-Type': type },
          body: 'x',
        });
        expect([type, answer.status]).toEqual([type, status]);
      }
    });

    test('leaves nothing when the sender disconnects, and the server keeps serving', async ({
      server,
      desk,
    }) => {
      const cookie = desk.clerk.cookies();
      const sender = request(`${server.origin}${desk.path}`, {
        method: 'PUT',
        headers: {
          Cookie: cookie,
          Origin: server.origin,
          'Content-Type': 'multipart/form-data; boundary=b',
          'Content-Length': 5_000_000,
        },
      });
      const gone = new Promise((resolve) => sender.on('close', resolve));
      sender.on('error', () => {});
      sender.write(START);
      sender.write(pdfOf(200_000), () => sender.destroy());
      await gone;
      await until(
        'the server to answer others',
        async () => (await desk.clerk.request(desk.path)).status === 404,
      );
      expect(await storedPaths(server, desk.customer)).toEqual([]);
      expect((await desk.put(pdfFile(pdfOf(100)))).status).toBe(200);
      expect(await storedPaths(server, desk.customer)).toHaveLength(1);
      const history = await desk.clerk.request(`/api/admin/invoices/${desk.number}/events`);
      expect(await history.json()).toMatchObject({ items: [{ action: 'file_uploaded' }] });
    });
  });
}
