import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { storedPaths } from '#server/testing/invoice-facts.ts';
import { invoiceFileTest } from '#server/testing/invoice-files.ts';
import { pdfFile } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { compareFiles, type FileDifferences, removeDifferences } from './stored-files.ts';

const test = invoiceFileTest();

describe('orphaned files and references to missing files', () => {
  test('are found and removed, except for files younger than the cutoff', async ({ server, desk }) => {
    const { services } = server;
    const { agreeing } = await compareFiles(services, new Date());
    await desk.put(pdfFile(pdfOf(100)));
    expect((await compareFiles(services, new Date())).agreeing).toBe(agreeing + 1);
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

  test('do not include a profile picture until the profile has another one', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const upload = async () => {
      const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#0a5c66' } })
        .png()
        .toBuffer();
      const body = new FormData();
      body.append('file', new File([new Uint8Array(image)], 'foto.png', { type: 'image/png' }));
      expect((await visitor.request('/api/me/picture', { method: 'PUT', body })).status).toBe(200);
    };
    const soon = new Date(Date.now() + 60_000);
    const before = new Set(await storedPaths(server));
    await upload();
    const pictures = (await storedPaths(server)).filter((path) => !before.has(path));
    expect(pictures).toHaveLength(1);
    expect((await compareFiles(server.services, soon)).orphans).not.toContain(pictures[0]);
    const stale = { orphans: pictures, missing: [] };
    expect(await removeDifferences(server.services, stale, new Date(0))).toMatchObject({ files: 0 });
    expect(await storedPaths(server)).toContain(pictures[0]);
    await upload();
    expect(await storedPaths(server)).not.toContain(pictures[0]);
  });

  test.for([
    ['first', 1],
    ['second', 2],
  ] as const)(
    'are checked again before removal: the %s PDF of an invoice is kept',
    async ([, uploads], { server, desk }) => {
      for (let count = 0; count < uploads; count += 1) await desk.put(pdfFile(pdfOf(100)));
      const [path = ''] = await storedPaths(server, desk.customer);
      const stale = { orphans: [path], missing: [{ number: desk.number, path }] };
      expect(await removeDifferences(server.services, stale, new Date(0))).toEqual({
        files: 0,
        references: 0,
        partial: 0,
      });
      expect((await desk.clerk.request(desk.path)).status).toBe(200);
    },
  );
});
