import { mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { describe, expect } from 'vitest';
import { invoiceFilePath } from '#server/features/invoices/commands.ts';
import type { FileStore } from '#server/files/store.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { photo, upload } from '#server/testing/pictures.ts';
import type { TestServer } from '#server/testing/server.ts';
import { onDisk } from '#server/testing/stored-files.ts';
import { test } from '#server/testing/test.ts';
import { packOwnData } from './commands.ts';

/** The ZIP of `user` in a session of its own, with its files read from `files`. */
async function packAs(server: TestServer, user: TestUser, files: FileStore): Promise<Readable> {
  const visitor = await server.as(user);
  const {
    items: [session],
  } = await (await visitor.api.auth.sessions.$get({ query: {} })).json();
  return packOwnData(
    { ...server.services, files },
    { userId: user.id, kind: 'user', sessionId: session?.id ?? '' },
    { headers: new Headers({ Cookie: visitor.cookies() }), ipAddress: '127.0.0.1' },
  );
}

describe('the download of personal data', () => {
  test('is a ZIP with all data, PDFs and the picture of the user, and nothing of others', async ({
    server,
  }) => {
    const user = await server.make.user();
    const stranger = await server.make.user();
    const project = await server.make.project(user, { name: 'Raffineria Sannazzaro' });
    await server.make.project(stranger, { name: 'Cantiere altrui' });
    const fileUrl = invoiceFilePath(user.id, 'FAT1700000000000ABCDEFGH');
    const pdf = pdfOf(2_000);
    await server.services.files.put(fileUrl, Readable.from([pdf]));
    await server.make.invoice(user, project, { fileName: 'fattura.pdf', fileUrl });
    const visitor = await server.as(user);
    await upload(visitor, await photo(60, 60));
    await server.make.undeliveredMail({ userId: user.id, subject: 'Nuova Richiesta Trasferta - Gela' });
    await server.make.undeliveredMail({ userId: user.id, kind: 'account_recovery', subject: 'con un token' });
    await server.make.undeliveredMail({ subject: 'Cantiere altrui' });
    const answer = await visitor.request('/api/me/data');
    expect(answer.headers.get('Content-Disposition')).toMatch(/i-miei-dati-\d{4}-\d{2}-\d{2}\.zip/);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const invoiceFile = Object.keys(files).find((name) => /^fatture\/FAT\w+\.pdf$/.test(name)) ?? '';
    expect(Object.keys(files)).toEqual(['dati.json', invoiceFile, 'foto.webp']);
    expect(Buffer.from(files[invoiceFile] ?? [])).toEqual(Buffer.from(pdf));
    const text = new TextDecoder().decode(files['dati.json']);
    expect(JSON.parse(text)).toMatchObject({
      profile: { id: user.id, email: user.email },
      projects: [{ name: 'Raffineria Sannazzaro' }],
      messages: [{ subject: expect.stringContaining('Gela') }],
      sessions: [{ current: true }],
    });
    expect(text).not.toContain('Cantiere altrui');
    expect(text).not.toContain('token');
  });

  test('contains the new PDF if one is replaced while it is packed', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user);
    const number = 'FAT1700000000000ABCDEFGH';
    const before = invoiceFilePath(user.id, number);
    const after = invoiceFilePath(user.id, number, 'replacement');
    const pdf = pdfOf(2_000);
    const { services } = server;
    await services.files.put(after, Readable.from([pdf]));
    await server.make.invoice(user, project, {
      invoiceNumber: number,
      fileName: 'fattura.pdf',
      fileUrl: before,
    });
    const replacedMeanwhile: FileStore = {
      ...services.files,
      async open(path) {
        await server.make.sql('update invoices set file_url = $1 where invoice_number = $2', [after, number]);
        return services.files.open(path);
      },
    };
    const zip = await packAs(server, user, replacedMeanwhile);
    const files = unzipSync(new Uint8Array(await buffer(zip)));
    expect(Buffer.from(files[`fatture/${number}.pdf`] ?? [])).toEqual(Buffer.from(pdf));
  });

  test('names a PDF that is no longer stored, instead of an empty one', async ({ server }) => {
    const user = await server.make.user();
    const fileUrl = invoiceFilePath(user.id, 'FAT1700000000003ABCDEFGH');
    const { invoiceNumber } = await server.make.invoice(user, await server.make.project(user), {
      fileName: 'fattura.pdf',
      fileUrl,
    });
    const files = unzipSync(new Uint8Array(await buffer(await packAs(server, user, server.services.files))));
    expect(Object.keys(files)).toEqual(['dati.json', 'file-non-disponibili.txt']);
    expect(new TextDecoder().decode(files['file-non-disponibili.txt'])).toContain(
      `fatture/${invoiceNumber}.pdf`,
    );
  });

  test('stops before the next file when the account is suspended meanwhile', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user);
    const { services } = server;
    for (const number of ['FAT1700000000001ABCDEFGH', 'FAT1700000000002ABCDEFGH']) {
      const fileUrl = invoiceFilePath(user.id, number);
      await services.files.put(fileUrl, Readable.from([pdfOf(2_000)]));
      await server.make.invoice(user, project, { invoiceNumber: number, fileName: 'fattura.pdf', fileUrl });
    }
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    let opened = 0;
    const suspendedMeanwhile: FileStore = {
      ...services.files,
      async open(path) {
        opened += 1;
        const suspension = { param: { id: user.id }, json: { suspended: true } };
        expect((await admin.api.users[':id'].$patch(suspension)).status).toBe(200);
        return services.files.open(path);
      },
    };
    await expect(buffer(await packAs(server, user, suspendedMeanwhile))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(opened).toBe(1);
  });

  test('lists what others did to the account and its records, without their id and IP address', async ({
    server,
  }) => {
    const user = await server.make.user();
    const admin = await server.make.user({ role: 'admin' });
    await server.make.sql(
      `insert into audit_events (action, actor_id, subject_id, ip_address) values
         ('role_changed', $1, $2, '198.51.100.7'), ('login', $2, $2, '203.0.113.5'), ('login_failed', null, $2, '203.0.113.9')`,
      [admin.id, user.id],
    );
    await server.make.tripRequest(user, { state: 'In lavorazione' });
    await server.make.sql('update trip_request_events set actor_id = $1 where user_id = $2', [
      admin.id,
      user.id,
    ]);
    await server.make.sql(
      `insert into invoice_events (invoice_number, actor_id, user_id, action) values ('FAT-1', $1, $2, 'created')`,
      [admin.id, user.id],
    );
    const answer = await (await server.as(user)).request('/api/me/data');
    const text = new TextDecoder().decode(unzipSync(new Uint8Array(await answer.arrayBuffer()))['dati.json']);
    const own = JSON.parse(text);
    expect(own.tripRequestEvents).toMatchObject([{ actorId: null }, { actorId: null }]);
    expect(own.invoiceEvents).toMatchObject([{ actorId: null }]);
    expect(own.securityEvents).toMatchObject([
      { action: 'role_changed', actorId: null, ipAddress: null },
      { action: 'login', actorId: user.id, ipAddress: '203.0.113.5' },
      { action: 'login_failed', actorId: null, ipAddress: '203.0.113.9' },
    ]);
    expect(text).not.toContain(admin.id);
  });
});

describe('the download of personal data with an unreadable file', () => {
  test.for([
    ['opened', (path: string) => symlink(path, path)],
    ['read', (path: string) => mkdir(path)],
  ] as const)(
    'is aborted if the file cannot be %s, and the server keeps running',
    async ([, spoil], { server }) => {
      const user = await server.make.user();
      const visitor = await server.as(user);
      const project = await server.make.project(user);
      const { invoiceNumber } = await server.make.invoice(user, project);
      const fileUrl = invoiceFilePath(user.id, invoiceNumber);
      await server.make.sql('update invoices set file_name = $1, file_url = $2 where invoice_number = $3', [
        'fattura.pdf',
        fileUrl,
        invoiceNumber,
      ]);
      await mkdir(dirname(onDisk(server, fileUrl)), { recursive: true });
      await spoil(onDisk(server, fileUrl));
      const answer = await visitor.request('/api/me/data');
      expect(answer.status).toBe(200);
      await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
      expect((await visitor.api.me.$get()).status).toBe(200);
    },
  );
});
