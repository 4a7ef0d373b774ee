import { describe, expect, vi } from 'vitest';
import { auditEvents } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { errorOf } from '#server/testing/client.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { test } from '#server/testing/test.ts';

describe('login', () => {
  test('reports credentials that are too long as wrong, not as missing', async ({ server }) => {
    const long = 'x'.repeat(300);
    const answer = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: long, password: long } });
    const wrong = 'Email/username o password errata. Accesso negato.';
    expect(await errorOf(answer)).toMatchObject({
      status: 422,
      fields: { identifier: wrong, password: wrong },
    });
  });

  test('reports an unknown username, but does not distinguish an unknown e-mail from a wrong password', async ({
    server,
  }) => {
    const user = await server.make.user();
    const attempt = async (identifier: string) =>
      errorOf(await server.anonymous().api.auth.login.$post({ json: { identifier, password: 'sbagliata' } }));
    expect(await attempt('nessuno')).toMatchObject({ status: 401, message: 'Username non trovato' });
    const wrong = { status: 401, message: 'Email/username o password errata. Accesso negato.' };
    expect(await attempt(user.email)).toMatchObject(wrong);
    expect(await attempt('nessuno@example.com')).toMatchObject(wrong);
    expect(await attempt('@')).toMatchObject(wrong);
  });

  test('with an unknown username is refused whatever anybody registered', async ({ server }) => {
    const visitor = server.anonymous();
    // Tried in place of the account that is not there, so that the answer takes as long.
    const signIn = vi.spyOn(server.services.auth.api, 'signInEmail');
    const log = () =>
      visitor.api.auth.login.$post({ json: { identifier: 'sconosciuto', password: 'segreta' } });
    await log();
    const tried = signIn.mock.calls[0]?.[0]?.body.email ?? '';
    const json = { fullName: 'Anna Bruni', email: tried, password: 'segreta', companyName: null };
    await visitor.api.auth.registrations.$post({ header: {}, json });
    const login = await log();
    expect(await errorOf(login)).toMatchObject({ status: 401, code: 'username_not_found' });
    expect((await visitor.api.me.$get()).status).toBe(401);
  });

  test('accepts an address pasted with invisible characters, as the registration does', async ({
    server,
  }) => {
    const { email, username, password } = await server.make.user();
    for (const identifier of [`\u202A${email}\u202C`, `${username}\u200B`]) {
      const answer = await server.anonymous().api.auth.login.$post({ json: { identifier, password } });
      expect(answer.status).toBe(200);
    }
  });

  test('keeps the cookie for 30 days only when asked to', async ({ server }) => {
    const user = await server.make.user();
    const visitor = server.anonymous();
    const cookies = async (remember: boolean) => {
      const answer = await visitor.api.auth.login.$post({
        json: { identifier: user.email, password: user.password, remember },
      });
      return answer.headers.getSetCookie().find((cookie) => cookie.includes('session_token'));
    };
    const state = async () => (await visitor.api.auth.session.$get()).json();
    expect(await cookies(true)).toMatch(/Max-Age=2592000; .*HttpOnly; SameSite=Lax/);
    expect(await state()).toMatchObject({ me: { remembered: true } });
    expect(await cookies(false)).not.toMatch(/Max-Age|Expires/);
    expect(await state()).toMatchObject({ me: { remembered: false } });
  });

  test('refuses a suspended account and a forged cookie', async ({ server }) => {
    const user = await server.make.user({ banned: true });
    const answer = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: user.email, password: user.password } });
    expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'account_suspended' });

    const forged = await fetch(`${server.origin}/api/me`, {
      headers: { Cookie: 'trasvia.session_token=abc.def; trasvia.session_data=eyJ9' },
    });
    expect(forged.status).toBe(401);
  });

  test('is refused from another site', async ({ server }) => {
    const answer = await fetch(`${server.origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://altrove.example' },
      body: JSON.stringify({ identifier: 'demo', password: 'demo-trasvia' }),
    });
    expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'foreign_origin' });
  });

  test('is recorded on success and failure, with the account and without the password', async ({
    server,
  }) => {
    const user = await server.make.user();
    for (const password of ['sbagliata', user.password]) {
      await server.anonymous().api.auth.login.$post({ json: { identifier: user.username, password } });
    }
    const { api } = server.anonymous();
    await api.auth['code-logins'].$post({ json: { email: user.email, code: '000000' } });
    await api.auth.login.$post({ json: { identifier: 'nessuno.di.noto', password: 'sbagliata' } });
    const events = await readAs(server.services.pool, SYSTEM)
      .select()
      .from(auditEvents)
      .orderBy(auditEvents.id);
    const about = (id: string | null) =>
      events
        .filter(({ subjectId }) => subjectId === id)
        .map(({ action, ipAddress, detail }) => [action, ipAddress, detail]);
    expect(about(user.id)).toEqual([
      ['login_failed', '127.0.0.1', { by: 'password' }],
      ['login', '127.0.0.1', { by: 'password' }],
      ['login_failed', '127.0.0.1', { by: 'code' }],
    ]);
    expect(about(null).at(-1)).toEqual(['login_failed', '127.0.0.1', { by: 'password' }]);
    expect(JSON.stringify(events)).not.toMatch(/sbagliata|nessuno|password di prova/);
  });
});

describe('a mailed code', () => {
  test('logs in once and confirms the e-mail address', async ({ server }) => {
    const user = await server.make.user();
    const visitor = server.anonymous();
    await visitor.api.auth.codes.$post({ json: { email: user.email } });
    const code = await mailed(server.mailbox, user.email, 'codice di accesso', /^(\d{6})$/m);
    const enter = (text: string) =>
      visitor.api.auth['code-logins'].$post({ json: { email: user.email, code: text } });
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await errorOf(await enter(wrong))).toMatchObject({ status: 422, code: 'invalid_code' });
    expect((await enter(code)).status).toBe(204);
    expect(await (await visitor.api.me.$get()).json()).toMatchObject({ id: user.id, emailVerified: true });
    expect(await errorOf(await enter(code))).toMatchObject({ status: 422, code: 'invalid_code' });
  });

  test('expires after ten minutes', async ({ server }) => {
    const user = await server.make.user();
    const visitor = server.anonymous();
    await visitor.api.auth.codes.$post({ json: { email: user.email } });
    const code = await mailed(server.mailbox, user.email, 'codice di accesso', /^(\d{6})$/m);
    // The row has only a hash of the address, so the latest row is taken.
    const latest = '(select id from verifications order by created_at desc limit 1)';
    const { rows } = await server.make.sql(
      `update verifications set expires_at = expires_at - interval '10 minutes' where id = ${latest}
        returning expires_at <= now() as over`,
    );
    expect(rows).toEqual([{ over: true }]);
    const late = await visitor.api.auth['code-logins'].$post({ json: { email: user.email, code } });
    expect(await errorOf(late)).toMatchObject({ status: 422, code: 'invalid_code' });
  });

  test('is invalid after five wrong attempts', async ({ server }) => {
    const user = await server.make.user();
    const visitor = server.anonymous();
    await visitor.api.auth.codes.$post({ json: { email: user.email } });
    const code = await mailed(server.mailbox, user.email, 'codice di accesso', /^(\d{6})$/m);
    const enter = async (text: string, email = user.email) =>
      errorOf(await visitor.api.auth['code-logins'].$post({ json: { email, code: text } }));
    const wrong = code === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1) await enter(wrong);
    const refused = await enter(code);
    expect(refused).toMatchObject({
      status: 422,
      fields: { code: expect.stringContaining('Dopo troppi errori') },
    });
    expect(await enter(wrong, 'sconosciuto@example.com')).toEqual(refused);
  });
});
