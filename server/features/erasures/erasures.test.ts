import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { ERASED_DOMAIN } from '#contract/erasures.ts';
import { makeRecoveryToken } from '#server/auth/links.ts';
import { employees, invoices, profiles, projects, tripRequests } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { invoiceFilePath } from '#server/features/invoices/commands.ts';
import { pictureFile } from '#server/features/profile/commands.ts';
import { signIn } from '#server/testing/client.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { uploaded } from '#server/testing/pictures.ts';
import { isGone } from '#server/testing/stored-files.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';

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
