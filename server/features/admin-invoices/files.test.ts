import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import { errorBodySchema } from '#contract/errors.ts';
import { invoiceSchema } from '#contract/invoices.ts';
import { spentToDate, storedPaths } from '#server/testing/invoice-facts.ts';
import { invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { test as base } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';
import { compareFiles, type FileDifferences, removeDifferences } from './commands.ts';

/** An invoice without a file, its customer and the clerk. */
const test = base.extend('desk', async ({ server }) => {
  const customer = await server.make.user();
  const project = await server.make.project(customer);
  const { invoiceNumber: number } = await server.make.invoice(customer, project);
  const clerk = await server.as(await server.make.invoiceAdmin());
  const path = `/api/admin/invoices/${number}/file`;
  const put = (file: File | null) => {
    const body = new FormData();
    if (file) body.append('file', file);
    else body.append('other', '');
    return clerk.request(path, { method: 'PUT', body });
  };
  return { customer, project, number, clerk, path, put };
});

async function messageOf(response: Response): Promise<string> {
  return errorBodySchema.parse(await response.json()).error.message;
}

describe('the PDF of an invoice', () => {
  test('is uploaded, replaced and removed, and leaves nothing behind', async ({ server, desk }) => {
    const stored = `${desk.customer.id}/${desk.number}_fattura.pdf`;
    expect(await messageOf(await desk.clerk.request(desk.path))).toBe('Nessun file disponibile');
    expect(await (await desk.put(pdfFile(pdfOf(100), 'uno.pdf'))).json()).toMatchObject({
      fileName: 'uno.pdf',
    });
    expect(await (await desk.put(pdfFile(pdfOf(60), '../due "è".pdf'))).json()).toMatchObject({
      fileName: 'due è.pdf',
    });
    expect(await storedPaths(server, desk.customer)).toEqual([stored]);
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

  test('is refused with the four messages, and without a file', async ({ desk }) => {
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
  });

  test('is one of two that are sent at once, with its own name', async ({ desk }) => {
    for (let round = 0; round < 5; round += 1) {
      const files = [pdfFile(pdfOf(70_000), 'settanta.pdf'), pdfFile(pdfOf(90_000), 'novanta.pdf')];
      const answers = await Promise.all(files.map(desk.put));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const kept = await desk.clerk.request(desk.path);
      const named = kept.headers.get('content-disposition')?.includes('settanta') ? 70_000 : 90_000;
      expect((await kept.arrayBuffer()).byteLength).toBe(named);
    }
  });

  test('is answered in ranges, conditionally, and to its own people only', async ({ server, desk }) => {
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
    const beyond = await owner.request(own, { headers: { Range: 'bytes=1000-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    const whole = await owner.request(`${own}?disposition=inline`);
    expect(whole.headers.get('content-disposition')).toMatch(/^inline; /);
    const etag = whole.headers.get('etag') ?? '';
    expect((await owner.request(own, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await owner.request(own, { method: 'HEAD' })).headers.get('content-length')).toBe('1000');

    const stranger = await server.as(await server.make.user());
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    expect((await stranger.request(own)).status).toBe(404);
    expect((await admin.request(own)).status).toBe(404);
    expect((await stranger.request(desk.path)).status).toBe(403);
    expect((await admin.request(desk.path)).status).toBe(403);
    expect((await server.anonymous().request(own)).status).toBe(401);
  });

  test('goes with its invoice', async ({ server, desk }) => {
    await desk.put(pdfFile(pdfOf(100)));
    const owner = await server.as(desk.customer);
    expect((await owner.request(`/api/invoices/${desk.number}`, { method: 'DELETE' })).status).toBe(204);
    expect(await storedPaths(server, desk.customer)).toEqual([]);
    expect(await spentToDate(server, desk.project.id)).toBe('0.00');
    expect(await messageOf(await desk.put(pdfFile(pdfOf(100))))).toBe('Risorsa non trovata.');
    expect(await storedPaths(server, desk.customer)).toEqual([]);
  });

  test('that cannot be stored leaves neither invoice nor total', async ({ server, desk }) => {
    const blocked = join(server.services.env.dataDir, 'files', desk.customer.id);
    await writeFile(blocked, 'a file where a folder should be');
    const form = invoiceForm({
      userId: desk.customer.id,
      projectId: desk.project.id,
      file: pdfFile(pdfOf(100)),
    });
    const refused = await desk.clerk.request('/api/admin/invoices', { method: 'POST', body: form });
    expect([refused.status, await messageOf(refused)]).toEqual([
      500,
      'Errore durante il caricamento del file',
    ]);
    expect(await messageOf(await desk.put(pdfFile(pdfOf(100))))).toBe(
      'Errore durante il caricamento del file',
    );
    await rm(blocked);
    expect(await spentToDate(server, desk.project.id)).toBe('1000.00');
    const shown = await desk.clerk.request(`/api/admin/invoices/${desk.number}`);
    expect(invoiceSchema.parse(await shown.json()).fileName).toBeNull();
  });
});

describe('files and invoices that disagree', () => {
  test('are found and brought in step, but never what is just being stored', async ({ server, desk }) => {
    const { services } = server;
    await desk.put(pdfFile(pdfOf(100)));
    const orphan = `${desk.customer.id}/FAT1700000000000AAAAAAAA_fattura.pdf`;
    await services.files.put(orphan, Readable.from([pdfOf(10)]));
    const lost = await server.make.invoice(desk.customer, desk.project, {
      fileName: 'perso.pdf',
      fileUrl: `${desk.customer.id}/perso_fattura.pdf`,
    });
    const own = (differences: FileDifferences) => ({
      orphans: differences.orphans.filter((path) => path.startsWith(desk.customer.id)),
      missing: differences.missing.filter(({ path }) => path.startsWith(desk.customer.id)),
    });
    const past = new Date(Date.now() - 60_000);
    expect(own(await compareFiles(services, past)).orphans).toEqual([]);

    const soon = new Date(Date.now() + 60_000);
    const found = own(await compareFiles(services, soon));
    expect(found).toEqual({
      orphans: [orphan],
      missing: [{ number: lost.invoiceNumber, path: lost.fileUrl }],
    });
    expect(await removeDifferences(services, found, soon)).toEqual({ files: 1, references: 1, partial: 0 });
    expect(own(await compareFiles(services, soon))).toEqual({ orphans: [], missing: [] });
    expect((await desk.clerk.request(desk.path)).status).toBe(200);
    const history = await desk.clerk.request(`/api/admin/invoices/${lost.invoiceNumber}/events`);
    expect(await history.json()).toMatchObject({ items: [{ action: 'file_deleted', actor: null }] });
  });

  test('a file that an invoice got meanwhile is not taken for a leftover', async ({ server, desk }) => {
    await desk.put(pdfFile(pdfOf(100)));
    const path = `${desk.customer.id}/${desk.number}_fattura.pdf`;
    const stale = { orphans: [path], missing: [{ number: desk.number, path }] };
    expect(await removeDifferences(server.services, stale, new Date(0))).toEqual({
      files: 0,
      references: 0,
      partial: 0,
    });
    expect((await desk.clerk.request(desk.path)).status).toBe(200);
  });
});

describe('an upload that does not arrive whole', () => {
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

  test('is refused when it is no form', async ({ desk }) => {
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

  test('leaves nothing when the sender goes away, and the server goes on', async ({ server, desk }) => {
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
    sender.on('error', () => {});
    sender.write(START);
    sender.write(pdfOf(200_000), () => sender.destroy());
    await until(
      'the server to answer others',
      async () => (await desk.clerk.request(desk.path)).status === 404,
    );
    expect(await storedPaths(server, desk.customer)).toEqual([]);
    expect((await desk.put(pdfFile(pdfOf(100)))).status).toBe(200);
  });
});
