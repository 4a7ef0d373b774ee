import { describe, expect, vi } from 'vitest';
import type { UserId } from '#server/auth/actor.ts';
import { makeRecoveryToken } from '#server/auth/links.ts';
import { setPassword } from '#server/features/accounts/commands.ts';
import { errorOf, signIn } from '#server/testing/client.ts';
import { losingDatabase } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';

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

  test('shuts out whoever was just using the former password, to log in, choose another or delete the account', async ({
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
    const again = await signIn(server.anonymous(), { ...user, password: 'nuova1' });
    const leave = () => again.api.me.$delete({ json: { password: 'nuova1' } });
    expect(await overtaking(leave)).toMatchObject({ status: 401, code: 'unauthenticated' });
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

describe('a password set by the operator', () => {
  test('works for an account that lost its password to the first mailed code', async ({ server }) => {
    const email = 'senza.password@example.com';
    const { api } = server.anonymous();
    const json = { fullName: 'Anna Bruni', email, password: 'segreta', companyName: null };
    await api.auth.registrations.$post({ header: {}, json });
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
