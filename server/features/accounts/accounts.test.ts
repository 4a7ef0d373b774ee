import { randomUUID } from 'node:crypto';
import { describe, expect, inject, vi } from 'vitest';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import { proveAddress } from '#server/auth/credentials.ts';
import { connectOwner } from '#server/db/migrate.ts';
import { errorOf } from '#server/testing/client.ts';
import { startFaultyProxy } from '#server/testing/faulty-proxy.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';

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

  test('lets nobody in who logs in at the moment of the first proof', async ({ server }) => {
    const user = await server.make.user();
    await server.as(user);
    const sessions: [string, unknown[]] = ['select from sessions where user_id = $1 for update', [user.id]];
    const json = { identifier: user.email, password: user.password };
    const login = await duringTransaction(server, sessions, 2, async () => {
      const proof = proveAddress(server.services.pool, user.id, null);
      await waitForLocks(server, 1);
      const [answer] = await Promise.all([server.anonymous().api.auth.login.$post({ json }), proof]);
      return answer;
    });
    expect(await errorOf(login)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    const { rowCount } = await server.make.sql('select from sessions where user_id = $1', [user.id]);
    expect(rowCount).toBe(0);
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

describe('identities', () => {
  test('the password is the only identity of an account', async ({ server }) => {
    const { api } = await server.as(await server.make.user());
    const identities = await (await api.auth.identities.$get()).json();
    expect(identities.map(({ provider }) => provider)).toEqual(['credential']);
  });
});
