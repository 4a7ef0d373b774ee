import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { ERASED_DOMAIN } from '#contract/customers.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { type ProfileChanges, pictureSchema } from '#contract/profile.ts';
import { makeRecoveryToken } from '#server/auth/links.ts';
import { employees, invoices, profiles, projects, tripRequests } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { invoiceFilePath } from '#server/features/invoices/commands.ts';
import type { FileStore } from '#server/files/store.ts';
import { errorOf, signIn, type Visitor } from '#server/testing/client.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';
import { packOwnData, pictureFile } from './commands.ts';

async function upload(visitor: Visitor, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'foto.jpg');
  return visitor.request('/api/me/picture', { method: 'PUT', body: form });
}

async function photo(width: number, height: number) {
  const image = sharp({ create: { width, height, channels: 3, background: '#0a5a69' } });
  const bytes = await image
    .withExif({ IFD0: { Copyright: 'segreto' } })
    .jpeg()
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Uploads a photo. @returns its address */
async function uploaded(visitor: Visitor): Promise<string> {
  const answer = await upload(visitor, await photo(60, 60));
  return pictureSchema.parse(await answer.json()).profilePicture;
}

/** The place on disk of the stored file `path`. */
function onDisk(server: TestServer, path: string): string {
  return join(server.services.env.dataDir, 'files', path);
}

async function isGone(files: FileStore, path: string): Promise<boolean> {
  const file = await files.open(path);
  await file?.close();
  return file === null;
}

describe("a user's own profile", () => {
  test('accepts a new name, company and picture address', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const json = {
      fullName: ' Anna Verdi ',
      companyName: '',
      profilePicture: 'https://immagini.example/anna.png',
    };
    expect((await visitor.api.me.$patch({ json })).status).toBe(204);
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({
      fullName: 'Anna Verdi',
      companyName: null,
      profilePicture: 'https://immagini.example/anna.png',
    });
  });

  test('cannot overwrite a name that an administrator saved after the change started', async ({ server }) => {
    const user = await server.make.user({ fullName: 'Ugo Ridolfi', companyName: null });
    const visitor = await server.as(user);
    const from = { fullName: 'Ugo Ridolfi', companyName: null };
    const save = (json: ProfileChanges) => visitor.api.me.$patch({ json: { ...json, from } });
    await server.make.sql("update profiles set full_name = 'Ugo Bassi' where id = $1", [user.id]);
    const profilePicture = 'https://immagini.example/ugo.png';
    const late = await save({ fullName: 'Ugo Maria Ridolfi', companyName: 'Ridolfi', profilePicture });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      error: { code: 'conflict' },
      current: { fullName: 'Ugo Bassi', companyName: null },
    });
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({
      fullName: 'Ugo Bassi',
      companyName: null,
      profilePicture: null,
    });
    expect((await save({ companyName: 'Ridolfi' })).status).toBe(204);
    expect((await save({ fullName: 'Ugo  Bassi ' })).status).toBe(204);
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({
      fullName: 'Ugo Bassi',
      companyName: 'Ridolfi',
    });
  });

  test('keeps fields that an update leaves out, including an uploaded picture', async ({ server }) => {
    const user = await server.make.user({ companyName: 'Montaggi Rossi S.r.l.' });
    const visitor = await server.as(user);
    const profilePicture = await uploaded(visitor);
    expect((await visitor.api.me.$patch({ json: { fullName: 'Anna Verdi' } })).status).toBe(204);
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({
      fullName: 'Anna Verdi',
      companyName: 'Montaggi Rossi S.r.l.',
      profilePicture,
    });
    expect((await visitor.request(profilePicture)).status).toBe(200);
    expect((await visitor.api.me.$patch({ json: { profilePicture: null } })).status).toBe(204);
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({
      fullName: 'Anna Verdi',
      profilePicture: null,
    });
    expect((await visitor.request(profilePicture)).status).toBe(404);
  });

  test('refuses a new e-mail, role or id, and a picture that is not https', async ({ server }) => {
    const user = await server.make.user();
    const other = await server.make.user();
    const visitor = await server.as(user);
    for (const field of [{ email: 'x@example.com' }, { role: 'admin' }, { id: other.id }]) {
      const answer = await visitor.send('PATCH', '/api/me', { fullName: 'Anna', ...field });
      expect(answer.status).toBe(422);
    }
    const script = await visitor.send('PATCH', '/api/me', {
      fullName: 'Anna',
      profilePicture: 'javascript:alert(1)',
    });
    expect(await script.json()).toMatchObject({
      error: { fields: { profilePicture: 'Inserisci l’indirizzo di un’immagine che inizia con https://' } },
    });
  });
});

describe('an uploaded picture', () => {
  test('is stored as a 512-pixel square without metadata, and replaces the previous one', async ({
    server,
  }) => {
    const visitor = await server.as(await server.make.user());
    const addresses: string[] = [];
    for (const height of [600, 80]) {
      const answer = await upload(visitor, await photo(90, height));
      expect(answer.status).toBe(200);
      addresses.push(pictureSchema.parse(await answer.json()).profilePicture);
    }
    const [first = '', second = ''] = addresses;
    const shown = await visitor.request(second);
    expect([shown.status, shown.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
    const metadata = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect(metadata).toMatchObject({ width: 512, height: 512, format: 'webp' });
    expect(metadata.exif).toBeUndefined();
    expect((await visitor.request(first)).status).toBe(404);
    expect((await server.anonymous().request(second)).status).toBe(401);
  });

  test('can be replaced and removed even if its file cannot be deleted, which the queue does later', async ({
    server,
  }) => {
    const visitor = await server.as(await server.make.user());
    const { files } = server.services;
    const first = pictureFile((await uploaded(visitor)).slice(-36));
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is down'));
    const second = await uploaded(visitor);
    expect((await visitor.request(second)).status).toBe(200);
    await until('the first one to be removed', () => isGone(files, first));
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is down'));
    const json = { fullName: 'Anna Verdi', companyName: '', profilePicture: '' };
    expect((await visitor.api.me.$patch({ json })).status).toBe(204);
  });

  test('does not keep the database waiting while the file of the one before is removed', async ({
    server,
  }) => {
    const visitor = await server.as(await server.make.user());
    const { files } = server.services;
    await uploaded(visitor);
    const { promise: removal, resolve } = Promise.withResolvers<void>();
    const remove = vi.spyOn(files, 'remove').mockReturnValue(removal);
    const uploading = uploaded(visitor);
    try {
      await until('the removal to begin', () => remove.mock.calls.length > 0);
      const open =
        "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
      await until('all transactions to end', async () => (await server.make.sql(open)).rowCount === 0, 20);
    } finally {
      remove.mockRestore();
      resolve();
    }
    await uploading;
  });

  test('cannot be claimed, and so not removed, by another user', async ({ server }) => {
    const owner = await server.as(await server.make.user());
    const stranger = await server.as(await server.make.user());
    const profilePicture = await uploaded(owner);
    const json = { fullName: 'Anna Verdi', companyName: '', profilePicture };
    const taken = await stranger.api.me.$patch({ json });
    expect(taken.status).toBe(422);
    expect(await taken.json()).toMatchObject({
      error: { fields: { profilePicture: 'Inserisci l’indirizzo di un’immagine che inizia con https://' } },
    });
    await stranger.api.me.$patch({ json: { ...json, profilePicture: '' } });
    expect((await owner.api.me.$patch({ json })).status).toBe(204);
    expect((await owner.request(profilePicture)).status).toBe(200);
  });

  test('that cannot be stored is answered with file_upload_failed', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    await uploaded(visitor);
    const folder = dirname(onDisk(server, pictureFile('x')));
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    const answer = await upload(visitor, await photo(60, 60));
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect([answer.status, errorBodySchema.parse(await answer.json()).error.code]).toEqual([
      500,
      'file_upload_failed',
    ]);
  });

  test('is refused when it is an SVG, empty or larger than 5 MB', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const codes = [];
    for (const bytes of [svg, new Uint8Array(0), new Uint8Array(5 * 1024 * 1024 + 1)]) {
      const answer = await upload(visitor, bytes);
      codes.push([answer.status, errorBodySchema.parse(await answer.json()).error.code]);
    }
    expect(codes).toEqual([
      [422, 'image_type'],
      [422, 'image_type'],
      [413, 'image_too_large'],
    ]);
  });

  test('is refused when a small file decodes to more pixels than its format may have', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#0a5a69' } });
    const codes = [];
    for (const image of [
      flat(8000, 6251).webp({ effort: 0 }),
      flat(4000, 3251).avif({ effort: 0 }),
      flat(4000, 3251).webp({ effort: 0 }),
    ]) {
      const answer = await upload(visitor, new Uint8Array(await image.toBuffer()));
      codes.push(answer.status === 200 ? 200 : errorBodySchema.parse(await answer.json()).error.code);
    }
    expect(codes).toEqual(['image_too_large', 'image_too_large', 200]);
  });
});

/** The ZIP of `user` in a session of its own, with its files read from `files`. */
async function packAs(server: TestServer, user: TestUser, files: FileStore): Promise<Readable> {
  const visitor = await server.as(user);
  const [session] = await (await visitor.api.auth.sessions.$get()).json();
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

test.for([
  ['of text', 'Content-Disposition: form-data; name="a"\r\n\r\n'],
  ['without headers', '\r\n'],
])('an upload with many parts %s is refused before it ends', async ([, part], { server }) => {
  const visitor = await server.as(await server.make.user());
  const parts = new TextEncoder().encode(`--x\r\n${part}\r\n`.repeat(1000));
  // Never closed: an answer shows that the rest is not waited for.
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(parts) });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const init = { method: 'PUT', headers, body, duplex: 'half' } as const;
  expect(await errorOf(await visitor.request('/api/me/picture', init))).toMatchObject({
    status: 400,
    code: 'malformed_upload',
  });
});

describe('an upload of nothing but delimiters', () => {
  const send = async (visitor: Visitor, parts: number, pieceBytes: number) => {
    const bytes = new TextEncoder().encode(`--x${'\r\n--x'.repeat(parts)}--\r\n`);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += pieceBytes)
          controller.enqueue(bytes.slice(at, at + pieceBytes));
        controller.close();
      },
    });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const init = { method: 'PUT', headers, body, duplex: 'half' } as const;
    return (await errorOf(await visitor.request('/api/me/picture', init))).code;
  };

  test('is refused before the parser takes it', async ({ server, onTestFinished }) => {
    const visitor = await server.as(await server.make.user());
    const parse = vi.spyOn(Busboy.prototype, '_write');
    onTestFinished(() => parse.mockRestore());
    expect(await send(visitor, 10_000, 100_000)).toBe('malformed_upload');
    const parsed = parse.mock.calls.reduce(
      (sum, [piece]) => sum + Buffer.from(piece as Uint8Array).length,
      0,
    );
    expect(parsed).toBeLessThan(200);
  });

  test('is counted over its pieces, wherever they end', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const codes = [];
    for (const pieceBytes of [1, 4, 1000])
      codes.push(await send(visitor, 31, pieceBytes), await send(visitor, 32, pieceBytes));
    expect(codes).toEqual(Array(3).fill(['image_type', 'malformed_upload']).flat());
  });
});

describe('a deleted account', () => {
  test('is deleted even if its picture cannot be removed, which the queue does later', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { files } = server.services;
    const picture = pictureFile((await uploaded(visitor)).slice(-36));
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is down'));
    expect((await visitor.api.me.$delete({ json: { password: user.password } })).status).toBe(204);
    expect(visitor.cookies()).toBe('');
    await until('the picture to be removed', () => isGone(files, picture));
  });

  test('loses its company, too, when no invoice was issued to it', async ({ server }) => {
    const user = await server.make.user({ companyName: 'Montaggi Rossi S.r.l.' });
    const visitor = await server.as(user);
    expect((await visitor.api.me.$delete({ json: { password: user.password } })).status).toBe(204);
    const { rows } = await server.make.sql('select company_name from profiles where id = $1', [user.id]);
    expect(rows).toEqual([{ company_name: null }]);
  });

  test('is deleted whatever names others have taken', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const taken = `eliminato-${user.id}`;
    await server.make.user({ username: taken, email: `${taken}@eliminato.invalid` });
    expect((await visitor.api.me.$delete({ json: { password: user.password } })).status).toBe(204);
  });

  test('is anonymized, keeps its invoices and has no sessions and no login', async ({ server }) => {
    const user = await server.make.user({ companyName: 'Montaggi Rossi S.r.l.' });
    const visitor = await server.as(user);
    const phone = await signIn(server.anonymous(), user);
    const invoiced = await server.make.project(user);
    await server.make.project(user);
    await server.make.employee(
      user,
      { name: 'Mario Bianchi', phone: '333', email: 'm@example.com' },
      invoiced,
    );
    await server.make.tripRequest(user);
    const fileUrl = invoiceFilePath(user.id, 'FAT1700000000001ABCDEFGH');
    await server.services.files.put(fileUrl, Readable.from([pdfOf(500)]));
    await server.make.invoice(user, invoiced, { fileName: 'fattura.pdf', fileUrl });
    const picture = await uploaded(visitor);

    expect((await visitor.api.me.$delete({ json: { password: 'sbagliata' } })).status).toBe(422);
    expect((await visitor.api.me.$delete({ json: { password: user.password } })).status).toBe(204);

    const db = readAs(server.services.pool, SYSTEM);
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, user.id));
    expect(profile).toMatchObject({
      fullName: 'Account eliminato',
      companyName: 'Montaggi Rossi S.r.l.',
      profilePicture: null,
      banned: true,
    });
    expect(JSON.stringify(profile)).not.toContain(user.email);
    const left = await Promise.all([
      db.select({ id: projects.id }).from(projects).where(eq(projects.userId, user.id)),
      db.select({ name: employees.name, phone: employees.phone }).from(employees),
      db.select().from(tripRequests).where(eq(tripRequests.userId, user.id)),
      db.select({ file: invoices.fileUrl }).from(invoices).where(eq(invoices.userId, user.id)),
    ]);
    expect(left).toEqual([
      [{ id: invoiced.id }],
      [{ name: 'Lavoratore', phone: null }],
      [],
      [{ file: fileUrl }],
    ]);
    const stored = await server.services.files.open(fileUrl);
    expect(await buffer(stored?.read() ?? Readable.from([]))).not.toHaveLength(0);
    expect(await server.services.files.open(pictureFile(picture.slice(-36)))).toBeNull();

    expect(visitor.cookies()).toBe('');
    expect((await phone.api.auth.refresh.$post()).status).toBe(401);
    const login = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: user.email, password: user.password } });
    expect(login.status).toBe(401);
  });

  test('is erased together with its sessions, password and second factor, or not at all', async ({
    server,
  }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { password } = user;
    await visitor.api.auth['two-factor'].$post({ json: { password } });
    const ways = async () => {
      const { rows } = await server.make.sql(
        `select (select count(*)::int from sessions where user_id = $1) as sessions,
           (select count(*)::int from accounts where user_id = $1) as accounts,
           (select count(*)::int from two_factors where user_id = $1) as factors`,
        [user.id],
      );
      return rows[0];
    };
    // The sessions are deleted last.
    await server.make.sql(`
      create function keep_session() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger keep_session before delete on sessions for each row execute function keep_session();
    `);
    try {
      expect((await visitor.api.me.$delete({ json: { password } })).status).toBe(500);
      expect(await ways()).toEqual({ sessions: 1, accounts: 1, factors: 1 });
      expect(await (await visitor.api.me.$get()).json()).toMatchObject({ email: user.email });
    } finally {
      await server.make.sql('drop function keep_session cascade');
    }
    expect((await visitor.api.me.$delete({ json: { password } })).status).toBe(204);
    expect(await ways()).toEqual({ sessions: 0, accounts: 0, factors: 0 });
  });

  test('cannot get a password by a reset link sent before', async ({ server }) => {
    const user = await server.make.user();
    const { api } = server.anonymous();
    await api.auth.recoveries.$post({ json: { email: user.email } });
    const { text } = await server.mailbox.received('Scegli una nuova password');
    const token = /#reimposta=(\S+)/.exec(text ?? '')?.[1] ?? '';
    await (await server.as(user)).api.me.$delete({ json: { password: user.password } });
    const reset = await api.auth['password-resets'].$post({ json: { token, password: 'di nuovo' } });
    expect(reset.status).toBe(410);
    const { rows } = await server.make.sql('select from accounts where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  test('cannot get a password by a reset link that is used while it is deleted', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    const owner = await server.as(user);
    const { auth } = server.services;
    const token = await makeRecoveryToken(auth, user.id);
    const { password: hashing } = await auth.$context;
    const { hash } = hashing;
    vi.spyOn(hashing, 'hash').mockImplementationOnce(async (password) => {
      expect((await owner.api.me.$delete({ json: { password: user.password } })).status).toBe(204);
      return hash(password);
    });
    const json = { token, password: 'di nuovo' };
    const reset = await server.anonymous().api.auth['password-resets'].$post({ json });
    expect(reset.status).toBe(410);
    const { rows } = await server.make.sql('select from accounts where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  test('does not get its address back by a code that is entered while it is deleted', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    const visitor = await server.as(user);
    const { email, password } = user;
    const { api } = server.anonymous();
    await api.auth.codes.$post({ json: { email } });
    const code = await mailed(server.mailbox, email, 'codice di accesso', /^(\d{6})$/m);
    const lock: [string, unknown[]] = ['lock table trip_requests in share mode', []];
    const [deleted, entered] = await duringTransaction(server, lock, 2, async () => {
      const deletion = visitor.api.me.$delete({ json: { password } });
      await waitForLocks(server, 1);
      return Promise.all([deletion, api.auth['code-logins'].$post({ json: { email, code } })]);
    });
    expect([deleted.status, entered.status]).toEqual([204, 403]);
    const { rows } = await server.make.sql('select email, email_verified from profiles where id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([{ email: expect.stringContaining(ERASED_DOMAIN), email_verified: false }]);
  });

  test('frees its e-mail address for a new registration', async ({ server }) => {
    const user = await server.make.user();
    await (await server.as(user)).api.me.$delete({ json: { password: user.password } });
    const again = await server.anonymous().api.auth.registrations.$post({
      header: {},
      json: { fullName: 'Di nuovo', email: user.email, password: 'segreta', companyName: null },
    });
    expect(again.status).toBe(201);
  });
});
