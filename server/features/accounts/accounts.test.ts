import { randomUUID, type webcrypto } from 'node:crypto';
import { describe, expect, inject, vi } from 'vitest';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import type { UserId } from '#server/auth/actor.ts';
import { makeRecoveryToken } from '#server/auth/links.ts';
import { connectOwner } from '#server/db/migrate.ts';
import { auditEvents } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { setPassword } from '#server/features/accounts/commands.ts';
import { errorOf, signIn } from '#server/testing/client.ts';
import { startFaultyProxy } from '#server/testing/faulty-proxy.ts';
import { losingDatabase, waitForLocks } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';
import { until } from '#server/testing/until.ts';

const registration = (email: string) => ({
  fullName: 'Anna Bruni',
  email,
  password: 'segreta',
  companyName: null,
});

describe('registration', () => {
  test('creates a customer who can log in with the username derived from the e-mail, ignoring case', async ({
    server,
  }) => {
    const visitor = server.anonymous();
    const made = await visitor.api.auth.registrations.$post({
      header: {},
      json: registration('Anna.Bruni@Example.com'),
    });
    expect(made.status).toBe(201);
    const login = await visitor.api.auth.login.$post({
      json: { identifier: 'ANNA.bruni', password: 'segreta' },
    });
    expect(await login.json()).toEqual({ twoFactor: false });
    const me = await (await visitor.api.me.$get()).json();
    expect(me).toMatchObject({ email: 'anna.bruni@example.com', username: 'anna.bruni', role: 'user' });
    expect(me.lastLogin).not.toBeNull();
  });

  test.for(['mario+cantiere', "d'amico", '_ufficio-2'])(
    'keeps all of %s in the username',
    async (name, { server }) => {
      const json = registration(`${name}@example.com`);
      await server.anonymous().api.auth.registrations.$post({ header: {}, json });
      const visitor = server.anonymous();
      const login = await visitor.api.auth.login.$post({ json: { identifier: name, password: 'segreta' } });
      expect(login.status).toBe(200);
      expect((await (await visitor.api.me.$get()).json()).username).toBe(name);
    },
  );

  test('gives everybody a username when many with the same one register at the same moment', async ({
    server,
  }) => {
    const emails = Array.from({ length: 12 }, (_, index) => `cantiere@ditta${index}.example.com`);
    const answers = await Promise.all(
      emails.map((email) =>
        server.anonymous().api.auth.registrations.$post({ header: {}, json: registration(email) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const { rows } = await server.make.sql<{ username: string }>(
      'select username from profiles where email = any($1)',
      [emails],
    );
    expect(rows.filter(({ username }) => /^cantiere\d*$/.test(username))).toHaveLength(12);
  });

  test('makes usernames unique', async ({ server }) => {
    for (const domain of ['uno', 'due']) {
      await server
        .anonymous()
        .api.auth.registrations.$post({ header: {}, json: registration(`carlo@${domain}.example`) });
    }
    const visitor = server.anonymous();
    await visitor.api.auth.login.$post({ json: { identifier: 'carlo@due.example', password: 'segreta' } });
    expect((await (await visitor.api.me.$get()).json()).username).toBe('carlo2');
  });

  test('refuses a taken or reserved e-mail', async ({ server }) => {
    const taken = await server.make.user();
    const again = await server
      .anonymous()
      .api.auth.registrations.$post({ header: {}, json: registration(taken.email) });
    expect(await errorOf(again)).toMatchObject({
      code: 'email_taken',
      fields: { email: 'Esiste già un account con questa email.' },
    });
    const { invoiceAdminEmail } = server.services.env;
    const reserved = await server
      .anonymous()
      .api.auth.registrations.$post({ header: {}, json: registration(invoiceAdminEmail.toUpperCase()) });
    expect(await errorOf(reserved)).toMatchObject({ status: 409, code: 'email_reserved' });
  });

  describe('overtaken by another one', () => {
    const register = (server: TestServer, email: string) =>
      server.anonymous().api.auth.registrations.$post({ header: {}, json: registration(email) });
    /** Starts registering `late` and, just before `step`, registers `early`. @returns both answers, the early one first */
    async function overtake(
      server: TestServer,
      step: 'sign-up' | 'hash',
      { early, late }: { early: string; late: string },
    ) {
      const { auth } = server.services;
      const { password } = await auth.$context;
      const { signUpEmail } = auth.api;
      const { hash } = password;
      const answers: Awaited<ReturnType<typeof register>>[] = [];
      const first = async () => answers.push(await register(server, early));
      const paused =
        step === 'hash'
          ? vi.spyOn(password, 'hash').mockImplementationOnce(async (text) => {
              await first();
              return hash(text);
            })
          : vi.spyOn(auth.api, 'signUpEmail').mockImplementationOnce((async (
              ...input: Parameters<typeof signUpEmail>
            ) => {
              await first();
              return signUpEmail(...input);
            }) as typeof signUpEmail);
      answers.push(await register(server, late));
      paused.mockRestore();
      return answers;
    }

    test.for(['sign-up', 'hash'] as const)(
      'with the same e-mail before the %s is refused, and records no event without an account',
      async (step, { server }) => {
        const email = `doppia.${step}@example.com`;
        const [early, late] = await overtake(server, step, { early: email, late: email });
        expect(early?.status).toBe(201);
        expect(late && (await errorOf(late))).toMatchObject({
          status: 409,
          code: 'email_taken',
          fields: { email: 'Esiste già un account con questa email.' },
        });
        const { rows } = await server.make.sql(
          `select from audit_events event where action = 'registered'
           and not exists (select from profiles where id = event.subject_id)`,
        );
        expect(rows).toEqual([]);
      },
    );

    test.for(['sign-up', 'hash'] as const)(
      'with the same username before the %s gets another username',
      async (step, { server }) => {
        const [early, late] = [`info.${step}@uno.example`, `info.${step}@due.example`];
        const answers = await overtake(server, step, { early, late });
        expect(answers.map(({ status }) => status)).toEqual([201, 201]);
        const { rows } = await server.make.sql(
          'select username from profiles where email = any($1) order by username',
          [[early, late]],
        );
        expect(rows).toEqual([{ username: `info.${step}` }, { username: `info.${step}2` }]);
      },
    );
  });

  test('that fails in the database is not reported as a taken e-mail', async ({ server }) => {
    await server.make.sql(`
      create function fail() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
      create trigger fail before insert on profiles for each row execute function fail()`);
    const refused = await server
      .anonymous()
      .api.auth.registrations.$post({ header: {}, json: registration('nuova@example.com') });
    await server.make.sql('drop trigger fail on profiles; drop function fail');
    expect(await errorOf(refused)).toMatchObject({ status: 500, code: 'internal' });
  });

  test.for(['profiles', 'accounts'])(
    'for which the disk of the database has no room in %s is answered as unavailable',
    async (table, { server }) => {
      await server.make.sql(`
        create function fail() returns trigger language plpgsql as
          $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$;
        create trigger fail before insert on ${table} for each row execute function fail()`);
      const refused = await server
        .anonymous()
        .api.auth.registrations.$post({ header: {}, json: registration(`piena.${table}@example.com`) });
      await server.make.sql(`drop trigger fail on ${table}; drop function fail`);
      expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  test('with the same e-mail many times at the same moment creates one account', async ({ server }) => {
    const email = 'insieme@example.com';
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        server.anonymous().api.auth.registrations.$post({ header: {}, json: registration(email) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
    const { rowCount } = await server.make.sql('select from profiles where email = $1', [email]);
    expect(rowCount).toBe(1);
  });

  test('can be sent again after its connection to the database was cut', async ({ server }) => {
    const url = new URL(server.services.env.databaseUrl ?? '');
    const proxy = await startFaultyProxy(Number(url.port || 5432));
    const owner = await connectOwner(url.href);
    url.port = String(proxy.port);
    const behind = await startTestServer(inject('testCluster'), { DATABASE_URL: url.href });
    const { api } = behind.anonymous();
    const json = registration('tagliata@example.com');
    const key = randomUUID();
    const register = () => api.auth.registrations.$post({ header: { 'idempotency-key': key }, json });
    await owner.query('begin; lock table profiles in share mode');
    const sent = register();
    await waitForLocks(server, 1);
    proxy.set('none');
    const cut = await sent;
    await owner.query('rollback');
    expect(await errorOf(cut)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(Number(cut.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register()).status).toBe(201);
    const login = await api.auth.login.$post({ json: { identifier: json.email, password: json.password } });
    expect(login.status).toBe(200);
    await Promise.all([behind.stop(), owner.end()]);
    await proxy.stop();
  });

  test('accepts any password of up to 128 characters, exactly as typed', async ({ server }) => {
    const password = ` parole à caso, ${'x'.repeat(112)}`;
    expect(password).toHaveLength(128);
    const { api } = server.anonymous();
    const register = (text: string) =>
      api.auth.registrations.$post({
        header: {},
        json: { ...registration('lunga@example.com'), password: text },
      });
    expect((await register(`${password}x`)).status).toBe(422);
    expect((await register(password)).status).toBe(201);
    const login = async (text: string) =>
      (await api.auth.login.$post({ json: { identifier: 'lunga', password: text } })).status;
    const changed = [password.trim(), password.slice(0, -1), password.toUpperCase()];
    for (const text of changed) expect(await login(text)).toBe(401);
    expect(await login(password)).toBe(200);
  });

  test('counts an emoji in a password as one character', async ({ server }) => {
    const password = '🏗'.repeat(PASSWORD_LENGTH.max);
    const visitor = server.anonymous();
    const register = (text: string) =>
      visitor.api.auth.registrations.$post({
        header: {},
        json: { ...registration('gruista@example.com'), password: text },
      });
    expect(await errorOf(await register(`${password}🏗`))).toMatchObject({
      code: 'invalid_input',
      fields: { password: expect.stringContaining(String(PASSWORD_LENGTH.max)) },
    });
    expect((await register(password)).status).toBe(201);
    const login = await visitor.api.auth.login.$post({ json: { identifier: 'gruista', password } });
    expect(login.status).toBe(200);
    const { status } = await visitor.api.auth.password.$put({
      json: { currentPassword: password, password: `🔑${password.slice(2)}` },
    });
    expect(status).toBe(204);
  });

  test('leaves the entered name out of the mail, and stores it as one line', async ({ server }) => {
    const email = 'vittima@example.com';
    const visitor = server.anonymous();
    const fullName = 'cliente,\n\nil tuo account è bloccato: https://evil.example';
    await visitor.api.auth.registrations.$post({ header: {}, json: { ...registration(email), fullName } });
    const text = await mailed(server.mailbox, email, 'Conferma', /^(.*)$/s);
    expect(text).toMatch(/^CONFERMA IL TUO INDIRIZZO EMAIL\n\nCiao,\n\nper confermare/);
    expect(text).not.toMatch(/bloccato|evil/);
    await visitor.api.auth.login.$post({ json: { identifier: email, password: 'segreta' } });
    expect((await (await visitor.api.me.$get()).json()).fullName).toBe(
      'cliente, il tuo account è bloccato: https://evil.example',
    );
  });

  test('does not accept a role', async ({ server }) => {
    const answer = await server
      .anonymous()
      .send('POST', '/api/auth/registrations', { ...registration('furbo@example.com'), role: 'admin' });
    expect(await errorOf(answer)).toMatchObject({
      status: 422,
      fields: { role: 'Campo non previsto: role' },
    });
  });

  test('reports every invalid field with the texts of the specification', async ({ server }) => {
    const answer = await server
      .anonymous()
      .send('POST', '/api/auth/registrations', { fullName: ' ', email: '', password: '12345' });
    expect((await errorOf(answer)).fields).toEqual({
      fullName: 'Inserisci il tuo nome completo',
      email: "Inserisci un'email valida",
      password: 'La password deve contenere almeno 6 caratteri',
    });
    const malformed = await server
      .anonymous()
      .api.auth.registrations.$post({ header: {}, json: registration('mario') });
    expect((await errorOf(malformed)).fields).toEqual({ email: "Inserisci un'email valida" });
  });
});

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
    await visitor.api.auth.registrations.$post({ header: {}, json: registration(tried) });
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

describe('recovery', () => {
  test('uses a link that works once, ends every session and replaces the password', async ({ server }) => {
    const user = await server.make.user();
    const elsewhere = await server.as(user);
    const visitor = server.anonymous();
    const asked = await visitor.api.auth.recoveries.$post({ json: { email: user.email } });
    expect(asked.status).toBe(202);
    const token = await mailed(server.mailbox, user.email, 'Scegli una nuova password', /#reimposta=(\S+)/);

    const weak = await visitor.api.auth['password-resets'].$post({ json: { token, password: '12345' } });
    expect((await errorOf(weak)).fields).toEqual({
      password: 'La password deve contenere almeno 6 caratteri',
    });
    // The mail arrives shortly before its stored text is cleared.
    await until('the token to be told by no message any more', async () => {
      const { rows } = await server.make.sql('select 1 from mail_messages where strpos(body_text, $1) > 0', [
        token,
      ]);
      return rows.length === 0;
    });
    const reset = await visitor.api.auth['password-resets'].$post({ json: { token, password: 'nuova1' } });
    expect(reset.status).toBe(204);
    const replayed = await visitor.api.auth['password-resets'].$post({
      json: { token, password: 'terza12' },
    });
    expect(await errorOf(replayed)).toMatchObject({ status: 410, code: 'invalid_link' });

    expect((await elsewhere.api.auth.refresh.$post()).status).toBe(401);
    const login = async (password: string) =>
      (await visitor.api.auth.login.$post({ json: { identifier: user.email, password } })).status;
    expect([await login(user.password), await login('nuova1')]).toEqual([401, 200]);
  });

  test('expires after an hour', async ({ server }) => {
    const user = await server.make.user();
    const token = await makeRecoveryToken(server.services.auth, user.id);
    const { rows } = await server.make.sql(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes from verifications where value = $1',
      [user.id],
    );
    expect(rows).toEqual([{ minutes: 60 }]);
    await server.make.sql('update verifications set expires_at = now() where value = $1', [user.id]);
    const visitor = server.anonymous();
    const late = await visitor.api.auth['password-resets'].$post({ json: { token, password: 'tardi12' } });
    expect(await errorOf(late)).toMatchObject({ status: 410, code: 'invalid_link' });
    const json = { identifier: user.email, password: user.password };
    expect((await visitor.api.auth.login.$post({ json })).status).toBe(200);
  });

  test('has no valid link left once the password was changed by a link, the owner or the operator', async ({
    server,
  }) => {
    const user = await server.make.user();
    const owner = await server.as(user);
    const tokens = await Promise.all([1, 2, 3].map(() => makeRecoveryToken(server.services.auth, user.id)));
    const reset = async (token = '') =>
      (await server.anonymous().api.auth['password-resets'].$post({ json: { token, password: 'nuova1' } }))
        .status;
    const [first, second] = tokens;
    const json = { currentPassword: user.password, password: 'cambiata1' };
    expect((await owner.api.auth.password.$put({ json })).status).toBe(204);
    expect(await reset(first)).toBe(410);
    const later = await Promise.all([1, 2].map(() => makeRecoveryToken(server.services.auth, user.id)));
    expect(await reset(later[1])).toBe(204);
    expect([await reset(later[0]), await reset(second)]).toEqual([410, 410]);
    const last = await makeRecoveryToken(server.services.auth, user.id);
    await setPassword(server.services, user.id, 'operatore1', { dropTwoFactor: false });
    expect(await reset(last)).toBe(410);
  });

  test('shuts out whoever was just using the former password, to log in or to choose another', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { auth } = server.services;
    const { password } = await auth.$context;
    const { verify } = password;
    /** Uses a recovery link while `work` has the former password verified. */
    const overtaking = async (work: () => Promise<Response>) => {
      const token = await makeRecoveryToken(auth, user.id);
      vi.spyOn(password, 'verify').mockImplementationOnce(async (attempt) => {
        const right = await verify(attempt);
        const json = { token, password: 'nuova1' };
        expect((await server.anonymous().api.auth['password-resets'].$post({ json })).status).toBe(204);
        return right;
      });
      return errorOf(await work());
    };
    const owner = await server.as(user);
    const json = { currentPassword: user.password, password: 'estranea1' };
    expect(await overtaking(() => owner.api.auth.password.$put({ json }))).toMatchObject({ status: 422 });
    await setPassword(server.services, user.id, user.password, { dropTwoFactor: false });
    const login = (text: string) =>
      server.anonymous().api.auth.login.$post({ json: { identifier: user.email, password: text } });
    expect(await overtaking(() => login(user.password))).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    });
    const { rowCount } = await server.make.sql('select from sessions where user_id = $1', [user.id]);
    expect(rowCount).toBe(0);
    expect((await login('nuova1')).status).toBe(200);
  });

  test('or a change of the password happens as a whole, even when the database is lost meanwhile', async ({
    server,
  }) => {
    const user = await server.make.user();
    const owner = await server.as(user);
    const token = await makeRecoveryToken(server.services.auth, user.id);
    const other = await makeRecoveryToken(server.services.auth, user.id);
    const [links, sessions] = ['verifications where value', 'sessions where user_id'].map(
      (rows): [string, string[]] => [`select from ${rows} = $1 for update`, [user.id]],
    );
    const change = (currentPassword: string) =>
      owner.api.auth.password.$put({ json: { currentPassword, password: 'cambiata1' } });
    const reset = (link: string) =>
      server.anonymous().api.auth['password-resets'].$post({ json: { token: link, password: 'nuova1' } });
    for (const [held, work] of [
      [links, () => change(user.password)],
      [sessions, () => change(user.password)],
      [sessions, () => reset(token)],
    ] as const) {
      const lost = await losingDatabase(server, held ?? '', work);
      expect(await errorOf(lost)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    const events = async () => {
      const { rows } = await server.make.sql(
        "select action from audit_events where subject_id = $1 and action like 'password%' order by id",
        [user.id],
      );
      return rows.map(({ action }) => action);
    };
    expect([(await owner.api.auth.refresh.$post()).status, await events()]).toEqual([200, []]);
    expect([(await reset(token)).status, (await reset(other)).status]).toEqual([204, 410]);
    expect(await events()).toEqual(['password_reset']);
  });

  test('answers the same for an unknown e-mail, and sends nothing', async ({ server }) => {
    const asked = await server
      .anonymous()
      .api.auth.recoveries.$post({ json: { email: 'sconosciuto@example.com' } });
    expect(asked.status).toBe(202);
    const user = await server.make.user();
    await server.anonymous().api.auth.recoveries.$post({ json: { email: user.email } });
    await mailed(server.mailbox, user.email, 'nuova password', /(reimposta)/);
    const messages = await server.mailbox.messages();
    expect(messages.flatMap(({ to }) => to?.map(({ address }) => address))).not.toContain(
      'sconosciuto@example.com',
    );
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

describe('an e-mail address', () => {
  test('is confirmed by a mailed link, which can be requested again', async ({ server }) => {
    const visitor = server.anonymous();
    await visitor.api.auth.registrations.$post({ header: {}, json: registration('conferma@example.com') });
    await visitor.api.auth.login.$post({ json: { identifier: 'conferma', password: 'segreta' } });
    await visitor.api.auth['email-verifications'].$post();
    const token = await mailed(server.mailbox, 'conferma@example.com', 'Conferma', /#conferma=(\S+)/);
    const confirm = (text: string, reader = visitor) =>
      reader.api.auth['email-verifications'].confirmations.$post({ json: { token: text } });
    expect(await errorOf(await confirm(`${token}x`))).toMatchObject({ code: 'invalid_link' });
    expect((await confirm(token)).status).toBe(204);
    // Opened again, in any browser, the link gives the same answer.
    expect((await confirm(token, server.anonymous())).status).toBe(204);
    expect((await (await visitor.api.auth.session.$get()).json()).me).toMatchObject({ emailVerified: true });
    const again = await visitor.api.auth['email-verifications'].$post();
    expect(await errorOf(again)).toMatchObject({ status: 409, code: 'email_verified' });
  });
});

describe('an e-mail address registered by a stranger', () => {
  /** Registers `email`, logs in and switches on a second factor. */
  async function occupy(server: TestServer, email: string) {
    const stranger = server.anonymous();
    await stranger.api.auth.registrations.$post({ header: {}, json: registration(email) });
    const login = { identifier: email, password: 'segreta' };
    await stranger.api.auth.login.$post({ json: login });
    const factor = stranger.api.auth['two-factor'];
    const { secret } = await (await factor.$post({ json: { password: login.password } })).json();
    await factor.confirmations.$post({ json: { code: codeOf(secret) } });
    expect((await stranger.api.auth.refresh.$post()).status).toBe(200);
    return {
      stranger,
      /** Expects that the stranger's session, password and second factor are gone. */
      async expectLockedOut() {
        expect((await stranger.api.auth.refresh.$post()).status).toBe(401);
        const again = await server.anonymous().api.auth.login.$post({ json: login });
        expect(again.status).toBe(401);
        const { rows } = await server.make.sql(
          `select p.two_factor_enabled from profiles p where email = $1
           and not exists (select from two_factors f where f.user_id = p.id)`,
          [email],
        );
        expect(rows).toEqual([{ two_factor_enabled: false }]);
      },
    };
  }

  async function recover(server: TestServer, email: string) {
    const { api } = server.anonymous();
    await api.auth.recoveries.$post({ json: { email } });
    const token = await mailed(server.mailbox, email, 'Scegli una nuova password', /#reimposta=(\S+)/);
    const reset = await api.auth['password-resets'].$post({ json: { token, password: 'mia-nuova' } });
    expect(reset.status).toBe(204);
    const login = await api.auth.login.$post({ json: { identifier: email, password: 'mia-nuova' } });
    expect(await login.json()).toEqual({ twoFactor: false });
  }

  test('belongs to its owner alone after the first mailed code', async ({ server }) => {
    const email = 'occupato.codice@example.com';
    const { expectLockedOut } = await occupy(server, email);
    const owner = server.anonymous();
    await owner.api.auth.codes.$post({ json: { email } });
    const code = await mailed(server.mailbox, email, 'codice di accesso', /^(\d{6})$.*smette di valere/ms);
    expect((await owner.api.auth['code-logins'].$post({ json: { email, code } })).status).toBe(204);
    await expectLockedOut();
    const me = await (await owner.api.me.$get()).json();
    expect(me).toMatchObject({ emailVerified: true, twoFactorEnabled: false });
    const { rows } = await server.make.sql(
      "select detail from audit_events where subject_id = $1 and action = 'email_verified'",
      [me.id],
    );
    expect(rows).toEqual([{ detail: { credentialsErased: true } }]);
    await recover(server, email);
  });

  test('belongs to its owner alone after a password recovery', async ({ server }) => {
    const email = 'occupato.recupero@example.com';
    const { expectLockedOut } = await occupy(server, email);
    await recover(server, email);
    await expectLockedOut();
  });

  test('cannot be confirmed by its link without a login to the account', async ({ server }) => {
    const email = 'occupato.conferma@example.com';
    const { stranger } = await occupy(server, email);
    const token = await mailed(server.mailbox, email, 'Conferma', /#conferma=(\S+)/);
    for (const reader of [server.anonymous(), await server.as(await server.make.user())]) {
      const refused = await reader.api.auth['email-verifications'].confirmations.$post({ json: { token } });
      expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'link_needs_login' });
    }
    expect(await (await stranger.api.me.$get()).json()).toMatchObject({ emailVerified: false });
  });

  test('keeps password and sessions if it was confirmed before', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    const elsewhere = await server.as(user);
    const visitor = server.anonymous();
    await visitor.api.auth.codes.$post({ json: { email: user.email } });
    const code = await mailed(server.mailbox, user.email, 'codice di accesso', /^(\d{6})$/m);
    expect((await visitor.api.auth['code-logins'].$post({ json: { email: user.email, code } })).status).toBe(
      204,
    );
    expect((await elsewhere.api.auth.refresh.$post()).status).toBe(200);
    const login = await visitor.api.auth.login.$post({
      json: { identifier: user.email, password: user.password },
    });
    expect(login.status).toBe(200);
  });
});

describe('a password set by the operator', () => {
  test('works for an account that lost its password to the first mailed code', async ({ server }) => {
    const email = 'senza.password@example.com';
    const { api } = server.anonymous();
    await api.auth.registrations.$post({ header: {}, json: registration(email) });
    await api.auth.codes.$post({ json: { email } });
    const code = await mailed(server.mailbox, email, 'codice di accesso', /^(\d{6})$/m);
    expect((await api.auth['code-logins'].$post({ json: { email, code } })).status).toBe(204);
    const { id } = await (await api.me.$get()).json();
    for (const password of ['prima-volta', 'seconda-volta']) {
      await setPassword(server.services, id as UserId, password, { dropTwoFactor: false });
      const login = await api.auth.login.$post({ json: { identifier: email, password } });
      expect(login.status).toBe(200);
    }
  });
});

describe('the account password', () => {
  test('is reported as missing, not wrong, if the account has none', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    await server.make.sql('delete from accounts where user_id = $1', [user.id]);
    const message = 'Per continuare serve una password e non ne hai una: entri con un codice via email.';
    const password = 'qualunque';
    const refusals = [
      [await api.me.$delete({ json: { password } }), 'password'],
      [await api.auth.reauthentications.$post({ json: { password } }), 'password'],
      [await api.auth['two-factor'].$post({ json: { password } }), 'password'],
      [
        await api.auth.password.$put({ json: { currentPassword: password, password: 'nuova1' } }),
        'currentPassword',
      ],
    ] as const;
    for (const [answer, field] of refusals) {
      expect(await errorOf(answer)).toMatchObject({ status: 422, message, fields: { [field]: message } });
    }
    const { rows } = await server.make.sql(
      "select from audit_events where action = 'login_failed' and subject_id = $1",
      [user.id],
    );
    expect(rows).toEqual([]);
  });

  test('can be changed with the current one, which ends the other sessions', async ({ server }) => {
    const user = await server.make.user();
    const here = await server.as(user);
    const elsewhere = server.anonymous();
    await elsewhere.api.auth.login.$post({ json: { identifier: user.email, password: user.password } });

    const wrong = await here.api.auth.password.$put({
      json: { currentPassword: 'sbagliata', password: 'nuova1' },
    });
    expect(await errorOf(wrong)).toMatchObject({
      status: 422,
      fields: { currentPassword: 'La password non è corretta.' },
    });
    const endless = await here.api.auth.password.$put({
      json: { currentPassword: 'x'.repeat(200), password: 'nuova1' },
    });
    expect(await errorOf(endless)).toMatchObject({
      status: 422,
      fields: { currentPassword: 'La password non è corretta.' },
    });
    const same = await here.api.auth.password.$put({
      json: { currentPassword: user.password, password: user.password },
    });
    expect(await errorOf(same)).toMatchObject({
      status: 422,
      fields: { password: 'Scegli una password diversa da quella attuale' },
    });
    const changed = await here.api.auth.password.$put({
      json: { currentPassword: user.password, password: 'nuova1' },
    });
    expect(changed.status).toBe(204);
    expect((await here.api.auth.refresh.$post()).status).toBe(200);
    expect((await elsewhere.api.auth.refresh.$post()).status).toBe(401);
    const login = async (password: string) =>
      (await elsewhere.api.auth.login.$post({ json: { identifier: user.email, password } })).status;
    expect([await login(user.password), await login('nuova1')]).toEqual([401, 200]);
  });

  test('keeps the session remembered or not when it is changed', async ({ server }) => {
    const user = await server.make.user();
    const expiry = async (remember: boolean, currentPassword: string, password: string) => {
      const visitor = await signIn(server.anonymous(), { ...user, password: currentPassword }, { remember });
      await visitor.api.auth.password.$put({ json: { currentPassword, password } });
      const { rows } = await server.make.sql<{ days: number }>(
        'select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where user_id = $1',
        [user.id],
      );
      return rows.map(({ days }) => days);
    };
    expect(await expiry(false, user.password, 'nuova1')).toEqual([1]);
    expect(await expiry(true, 'nuova1', 'nuova2')).toEqual([30]);
  });

  test('is recorded as a failed login if wrong when asked for again', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const password = 'sbagliata';
    const answers = [
      await api.auth.password.$put({ json: { currentPassword: password, password: 'nuova1' } }),
      await api.auth.reauthentications.$post({ json: { password } }),
      await api.auth['two-factor'].$post({ json: { password } }),
      await api.me.$delete({ json: { password } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const { rows } = await server.make.sql(
      'select action, ip_address, detail from audit_events where subject_id = $1',
      [user.id],
    );
    const trace = { action: 'login_failed', ip_address: '127.0.0.1', detail: { by: 'reauthentication' } };
    expect(rows).toEqual(Array(4).fill(trace));
  });

  test('can be checked again on its own', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const check = async (password: string) =>
      (await api.auth.reauthentications.$post({ json: { password } })).status;
    expect([await check('sbagliata'), await check(user.password)]).toEqual([422, 204]);
  });
});

describe('identities and keys', () => {
  test('the password is the only identity of an account', async ({ server }) => {
    const { api } = await server.as(await server.make.user());
    const identities = await (await api.auth.identities.$get()).json();
    expect(identities.map(({ provider }) => provider)).toEqual(['credential']);
  });

  test('a token names the account and is signed with a published key', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    await api.auth.tokens.$post();
    // As when another AUTH_SECRET has encrypted the key: a new one is made.
    await server.make.sql('update jwks set private_key = reverse(private_key)');
    const { token } = await (await api.auth.tokens.$post()).json();
    const { keys } = await (await server.anonymous().api.auth.keys.$get()).json();
    const [head = '', body = '', signature = ''] = token.split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const jwk = keys.find(({ kid }) => kid === decode(head).kid);
    const key = await crypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, 'Ed25519', false, [
      'verify',
    ]);
    const sound = await crypto.subtle.verify(
      'Ed25519',
      key,
      Buffer.from(signature, 'base64url'),
      Buffer.from(`${head}.${body}`),
    );
    expect(sound).toBe(true);
    expect(decode(body)).toMatchObject({ sub: user.id, role: 'user', iss: server.origin });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
});
