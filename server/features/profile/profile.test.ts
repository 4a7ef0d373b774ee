import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Busboy } from '@fastify/busboy';
import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { errorBodySchema } from '#contract/error-body.ts';
import { type ProfileChanges, pictureSchema } from '#contract/profile.ts';
import { errorOf, type Visitor } from '#server/testing/client.ts';
import { photo, upload, uploaded } from '#server/testing/pictures.ts';
import { isGone, onDisk } from '#server/testing/stored-files.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';
import { pictureFile } from './commands.ts';

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
      const { code, message, fields } = errorBodySchema.parse(await answer.json()).error;
      codes.push([answer.status, code, fields?.file === message]);
    }
    expect(codes).toEqual([
      [422, 'image_type', true],
      [422, 'image_type', true],
      [413, 'image_too_large', true],
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
