import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { adminInvoiceSchema } from '#contract/admin-invoices.ts';
import { invoiceSchema } from '#contract/invoices.ts';
import { spentToDate, storedPaths } from '#server/testing/invoice-facts.ts';
import { invoiceFileTest, messageOf, testInvoiceFiles } from '#server/testing/invoice-files.ts';
import { invoiceForm, pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { until } from '#server/testing/until.ts';

const test = invoiceFileTest();

testInvoiceFiles(test);

describe('a PDF', () => {
  test('that cannot be stored creates no invoice and leaves the project total unchanged', async ({
    server,
    desk,
  }) => {
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

describe('the file name of a PDF', () => {
  test.for([
    ['setup.exe', 'setup.exe.pdf'],
    ['Fattura di marzo.PDF', 'Fattura di marzo.PDF'],
    ['../segreto\u202Efdp.pdf', 'segretofdp.pdf'],
    ['.pdf', 'fattura.pdf'],
    [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
    [`x${'\u0315\u0300'.repeat(5_000)}.pdf`, `x${'\u0300'.repeat(15)}${'\u0315'.repeat(15)}.pdf`],
    [`a${'🏗'.repeat(300)}.pdf`, `a${'🏗'.repeat(195)}.pdf`],
  ] as const)('is sanitized when sent as %s', async ([sent, stored], { desk }) => {
    await desk.put(pdfFile(pdfOf(100), sent));
    const shown = await desk.clerk.request(`/api/admin/invoices/${desk.number}`);
    expect(invoiceSchema.parse(await shown.json()).fileName).toBe(stored);
  });
});

describe('a PDF whose invoice row cannot be updated', () => {
  test('is neither stored by an upload nor removed by a deletion, and the error says why', async ({
    server,
    desk,
  }) => {
    const failing = async (work: () => Promise<Response>) => {
      await server.make.sql(`
        create function fail() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
        create trigger fail before update on invoices for each row execute function fail()`);
      const message = await messageOf(await work());
      await server.make.sql('drop trigger fail on invoices; drop function fail');
      return message;
    };
    expect(await failing(() => desk.put(pdfFile(pdfOf(100))))).toBe(
      'Errore durante il salvataggio delle informazioni del file',
    );
    expect(await storedPaths(server, desk.customer)).toEqual([]);
    await desk.put(pdfFile(pdfOf(100)));
    const stored = await storedPaths(server, desk.customer);
    expect(await failing(() => desk.clerk.request(desk.path, { method: 'DELETE' }))).toBe(
      "Errore durante l'aggiornamento del database",
    );
    expect(stored).toHaveLength(1);
    expect(await storedPaths(server, desk.customer)).toEqual(stored);
  });
});

describe('a PDF that a colleague uploaded meanwhile', () => {
  test('is neither replaced nor removed by a change that started from another', async ({ server, desk }) => {
    const fileOf = async (response: Response) =>
      adminInvoiceSchema.parse(await response.json()).fileUrl ?? '';
    const remove = (from: string) =>
      desk.clerk.request(`${desk.path}?from=${encodeURIComponent(from)}`, { method: 'DELETE' });
    const first = await desk.put(pdfFile(pdfOf(100), 'prima.pdf'), '');
    expect(first.status).toBe(200);
    const from = await fileOf(first);
    expect((await desk.put(pdfFile(pdfOf(70), 'collega.pdf'), from)).status).toBe(200);
    const stored = await storedPaths(server, desk.customer);
    for (const refused of [
      await desk.put(pdfFile(pdfOf(60), 'mia.pdf'), from),
      await desk.put(pdfFile(pdfOf(60), 'mia.pdf'), ''),
      await remove(from),
    ]) {
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        error: { code: 'conflict' },
        current: { fileName: 'collega.pdf', fileUrl: stored[0] },
      });
    }
    expect(await storedPaths(server, desk.customer)).toEqual(stored);
    const { rows } = await server.make.sql(
      'select action from invoice_events where invoice_number = $1 order by id',
      [desk.number],
    );
    expect(rows).toEqual([{ action: 'file_uploaded' }, { action: 'file_replaced' }]);

    expect((await remove(String(stored[0]))).status).toBe(200);
    expect((await desk.put(pdfFile(pdfOf(60)), String(stored[0]))).status).toBe(409);
    expect((await desk.put(pdfFile(pdfOf(60)), '')).status).toBe(200);
  });
});

describe('a PDF that cannot be removed when its invoice lets go of it', () => {
  test('is removed by the queue after a replacement, a removal and a deletion', async ({ server, desk }) => {
    const { files } = server.services;
    const failingOnce = async (work: () => Promise<Response>, left: number) => {
      vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is down'));
      expect((await work()).status).toBeLessThan(300);
      await until(
        'the file to be removed',
        async () => (await storedPaths(server, desk.customer)).length === left,
      );
    };
    await desk.put(pdfFile(pdfOf(100)));
    await failingOnce(() => desk.put(pdfFile(pdfOf(60))), 1);
    await failingOnce(() => desk.clerk.request(desk.path, { method: 'DELETE' }), 0);
    await desk.put(pdfFile(pdfOf(100)));
    const invoice = `/api/admin/invoices/${desk.number}`;
    await failingOnce(() => desk.clerk.request(invoice, { method: 'DELETE' }), 0);
  });
});

describe('a PDF replacement whose transaction fails after the file was stored', () => {
  test('keeps the previous PDF with its name, and removes the new file', async ({ server, desk }) => {
    await desk.put(pdfFile(pdfOf(100), 'prima.pdf'));
    const stored = await storedPaths(server, desk.customer);
    await server.make.sql(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'connection lost'; end $$;
      create constraint trigger fail after update on invoices deferrable initially deferred
        for each row execute function fail()`);
    const refused = await desk.put(pdfFile(pdfOf(60), 'dopo.pdf'));
    await server.make.sql('drop trigger fail on invoices; drop function fail');
    expect(await messageOf(refused)).toBe('Errore durante il salvataggio delle informazioni del file');
    expect(await storedPaths(server, desk.customer)).toEqual(stored);
    const kept = await desk.clerk.request(desk.path);
    expect(kept.headers.get('content-disposition')).toContain('prima.pdf');
    expect((await kept.arrayBuffer()).byteLength).toBe(100);
  });
});
