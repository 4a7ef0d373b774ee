import { describe, expect } from 'vitest';
import { setPassword } from '#server/features/accounts/commands.ts';
import { errorOf, signIn, type Visitor } from '#server/testing/client.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { duringTransaction, losingDatabase, waitForLocks } from '#server/testing/locks.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';

/** Turns the second factor on. @returns the enrolment, and the `code` that confirmed it */
async function protect(visitor: Visitor, { password }: TestUser) {
  const enrolment = await (await visitor.api.auth['two-factor'].$post({ json: { password } })).json();
  const code = codeOf(enrolment.secret);
  const confirmed = await visitor.api.auth['two-factor'].confirmations.$post({ json: { code } });
  expect(confirmed.status).toBe(204);
  return { ...enrolment, code };
}

async function logIn(server: TestServer, user: TestUser): Promise<Visitor> {
  const visitor = server.anonymous();
  const answer = await visitor.api.auth.login.$post({
    json: { identifier: user.email, password: user.password, remember: true },
  });
  expect(await answer.json()).toEqual({ twoFactor: true });
  return visitor;
}

describe('a second factor', () => {
  test('is set up with the password, URI, QR code and recovery codes, and required only once confirmed', async ({
    server,
  }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const wrong = await visitor.api.auth['two-factor'].$post({ json: { password: 'sbagliata' } });
    expect(wrong.status).toBe(422);
    const enrolment = await (
      await visitor.api.auth['two-factor'].$post({ json: { password: user.password } })
    ).json();
    expect(enrolment.uri).toMatch(/^otpauth:\/\/totp\/Trasvia/);
    expect(enrolment.qrCode).toMatch(/^<svg/);
    expect(enrolment.recoveryCodes).toHaveLength(10);
    const login = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: user.email, password: user.password } });
    expect(await login.json()).toEqual({ twoFactor: false });
  });

  test('is on or off as a whole, even when the database is lost while it is switched', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { password, id } = user;
    const factor = visitor.api.auth['two-factor'];
    const enrol = async () => (await factor.$post({ json: { password } })).json();
    const state = async () => {
      const login = await server
        .anonymous()
        .api.auth.login.$post({ json: { identifier: user.email, password } });
      const { rows } = await server.make.sql(
        "select action from audit_events where subject_id = $1 and action like 'two_factor%' order by id",
        [id],
      );
      return [(await login.json()).twoFactor, rows.map(({ action }) => action).join()];
    };
    const rows = (table: string): [string, unknown[]] => [
      `select from ${table} where user_id = $1 for update`,
      [id],
    ];

    const { secret, recoveryCodes } = await enrol();
    const confirm = (code: string) => factor.confirmations.$post({ json: { code } });
    const unconfirmed = await losingDatabase(server, rows('two_factors'), () => confirm(codeOf(secret)));
    expect([unconfirmed.status, await state()]).toEqual([503, [false, '']]);
    expect((await confirm(codeOf(secret, 1))).status).toBe(204);
    expect(await errorOf(await confirm(codeOf(secret, -1)))).toMatchObject({ code: 'two_factor_active' });
    expect(await state()).toEqual([true, 'two_factor_enabled']);

    const disable = (code = '') => factor.$delete({ json: { password, code } });
    const remaining = await losingDatabase(server, rows('sessions'), () => disable(recoveryCodes[0]));
    expect([remaining.status, await state()]).toEqual([503, [true, 'two_factor_enabled']]);
  });

  test('has one secret, even when two enrolments start at the same moment', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const factor = visitor.api.auth['two-factor'];
    const { password } = user;
    const enrolments = await duringTransaction(server, ['lock table two_factors in share mode', []], 2, () =>
      Promise.all([1, 2].map(async () => (await factor.$post({ json: { password } })).json())),
    );
    const { rowCount } = await server.make.sql('select from two_factors where user_id = $1', [user.id]);
    expect(rowCount).toBe(1);
    const confirmations = [];
    for (const { secret } of enrolments)
      confirmations.push((await factor.confirmations.$post({ json: { code: codeOf(secret) } })).status);
    // Either stays; once one is confirmed, the factor is on.
    expect([
      [204, 409],
      [422, 204],
    ]).toContainEqual(confirmations);
    const { secret = '' } = enrolments[confirmations.indexOf(204)] ?? {};
    const { challenges } = (await logIn(server, user)).api.auth['two-factor'];
    expect((await challenges.$post({ json: { code: codeOf(secret, 1) } })).status).toBe(204);
  });

  test('stays as it was confirmed, even when its enrolment is started again at the same moment', async ({
    server,
  }) => {
    const user = await server.make.user();
    const factor = (await server.as(user)).api.auth['two-factor'];
    const elsewhere = (await signIn(server.anonymous(), user)).api.auth['two-factor'];
    const { password } = user;
    const { secret } = await (await factor.$post({ json: { password } })).json();
    const held: [string, unknown[]] = ['select from two_factors where user_id = $1 for update', [user.id]];
    const statuses = await duringTransaction(server, held, 2, async () => {
      const confirmed = factor.confirmations.$post({ json: { code: codeOf(secret) } });
      await waitForLocks(server, 1);
      const answers = await Promise.all([confirmed, elsewhere.$post({ json: { password } })]);
      return answers.map(({ status }) => status);
    });
    expect(statuses).toEqual([204, 409]);
    const { challenges } = (await logIn(server, user)).api.auth['two-factor'];
    expect((await challenges.$post({ json: { code: codeOf(secret, 1) } })).status).toBe(204);
  });

  test('opens no session that a password replaced at the same moment leaves open', async ({ server }) => {
    const user = await server.make.user();
    const { password, id } = user;
    const owner = await server.as(user);
    const factor = owner.api.auth['two-factor'];
    const { secret, recoveryCodes } = await (await factor.$post({ json: { password } })).json();
    const [first = '', second = '', third = ''] = recoveryCodes;
    const replace = () => setPassword(server.services, user.id, password, { dropTwoFactor: false });
    /** Has the password replaced while `work` waits to store its session. @returns its answer, and how many are left */
    const overtaking = async (work: () => Promise<Response>) => {
      const account: [string, unknown[]] = ['select from profiles where id = $1 for update', [id]];
      const { status } = await duringTransaction(server, account, 2, async () => {
        const answer = work();
        await waitForLocks(server, 1);
        await replace();
        return answer;
      });
      const { rowCount } = await server.make.sql('select from sessions where user_id = $1', [id]);
      return [status, rowCount];
    };
    const meet = ({ api }: Visitor, code: string) =>
      api.auth['two-factor'].challenges.$post({ json: { code } });

    const confirming = () => factor.confirmations.$post({ json: { code: codeOf(secret) } });
    expect(await overtaking(confirming)).toEqual([204, 0]);
    const pending = await logIn(server, user);
    expect(await overtaking(() => meet(pending, codeOf(secret, 1)))).toEqual([204, 0]);
    const late = await logIn(server, user);
    await replace();
    expect((await meet(late, first)).status).toBe(410);
    const entered = await logIn(server, user);
    expect((await meet(entered, second)).status).toBe(204);
    const json = { password, code: third };
    expect(await overtaking(() => entered.api.auth['two-factor'].$delete({ json }))).toEqual([204, 0]);
  });

  test('can be met again when the database was lost while the code was checked', async ({ server }) => {
    const user = await server.make.user();
    const { secret } = await protect(await server.as(user), user);
    const { challenges } = (await logIn(server, user)).api.auth['two-factor'];
    const meet = () => challenges.$post({ json: { code: codeOf(secret, 1) } });
    // The count of the attempts of a login.
    const held: [string, unknown[]] = ["select from verifications where value = '0' for update", []];
    expect(await errorOf(await losingDatabase(server, held, meet))).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    expect((await meet()).status).toBe(204);
  });

  test('is required after the password to use the account', async ({ server }) => {
    const user = await server.make.user();
    const { secret } = await protect(await server.as(user), user);
    const visitor = await logIn(server, user);
    expect((await visitor.api.me.$get()).status).toBe(401);
    const challenge = (code: string) => visitor.api.auth['two-factor'].challenges.$post({ json: { code } });
    const right = codeOf(secret, 1);
    expect((await challenge(right === '000000' ? '000001' : '000000')).status).toBe(422);
    const met = await challenge(right);
    expect(met.status).toBe(204);
    expect(met.headers.getSetCookie().join()).toMatch(/session_token=[^;]+; Max-Age=2592000/);
    expect((await visitor.api.me.$get()).status).toBe(200);
    const withoutPassword = await server
      .anonymous()
      .api.auth['two-factor'].challenges.$post({ json: { code: right } });
    expect(withoutPassword.status).toBe(410);
    const { rows } = await server.make.sql(
      "select action from audit_events where subject_id = $1 and detail->>'by' = 'two_factor' order by id",
      [user.id],
    );
    expect(rows).toEqual([{ action: 'login_failed' }, { action: 'login' }]);
  });

  test('does not accept a session in place of a pending login, and counts wrong codes', async ({
    server,
  }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { challenges } = visitor.api.auth['two-factor'];
    const enrolment = await (
      await visitor.api.auth['two-factor'].$post({ json: { password: user.password } })
    ).json();
    const pending = await challenges.$post({ json: { code: codeOf(enrolment.secret) } });
    expect(pending.status).toBe(410);
    const { secret, recoveryCodes } = await protect(visitor, user);
    for (const code of [codeOf(secret, 1), recoveryCodes[0] ?? '']) {
      expect((await challenges.$post({ json: { code } })).status).toBe(410);
    }
    expect((await visitor.api.auth.refresh.$post()).status).toBe(200);

    // A wrong code for a pending login, in a browser that also has a session, is counted.
    const waiting = await logIn(server, user);
    waiting.keep(visitor.cookies().split('; '));
    const wrong = codeOf(secret, 1) === '000000' ? '000001' : '000000';
    expect((await waiting.api.auth['two-factor'].challenges.$post({ json: { code: wrong } })).status).toBe(
      422,
    );
    const { rows } = await server.make.sql(
      'select failed_verification_count as count from two_factors where user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('accepts each code of the app once, including the one of the enrolment', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { secret } = await (
      await visitor.api.auth['two-factor'].$post({ json: { password: user.password } })
    ).json();
    const [now, next] = [codeOf(secret), codeOf(secret, 1)];
    await visitor.api.auth['two-factor'].confirmations.$post({ json: { code: now } });
    const meet = async (code: string) =>
      (await (await logIn(server, user)).api.auth['two-factor'].challenges.$post({ json: { code } })).status;
    expect(await Promise.all([meet(now), meet(next), meet(next)])).toEqual(
      expect.arrayContaining([204, 422, 422]),
    );
    expect(await meet(next)).toBe(422);
  });

  test('ends a login after five wrong codes, and accepts the right code in a new login', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { secret } = await protect(await server.as(user), user);
    const right = codeOf(secret, 1);
    const wrong = Array.from({ length: 6 }, (_, index) => String(index).padStart(6, '7'))
      .filter((code) => code !== right)
      .slice(0, 5);
    const visitor = await logIn(server, user);
    const meet = (code: string, by = visitor) =>
      by.api.auth['two-factor'].challenges.$post({ json: { code } });
    for (const code of wrong) expect((await meet(code)).status).toBe(422);
    const refused = await meet(right);
    expect([refused.status, await refused.json()]).toMatchObject([
      410,
      { error: { message: 'Troppi codici errati. Accedi di nuovo con la password.' } },
    ]);
    expect((await meet(right, await logIn(server, user))).status).toBe(204);
  });

  test('keeps the session remembered or not, as chosen in the login it completes', async ({ server }) => {
    const user = await server.make.user();
    const owner = await server.as(user);
    const daysLeft = async () => {
      const { rows } = await server.make.sql<{ days: number }>(
        'select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where user_id = $1',
        [user.id],
      );
      return rows.map(({ days }) => days);
    };
    // A session that is not remembered stays so when the factor is switched on and off.
    const { secret } = await protect(owner, user);
    expect(await daysLeft()).toEqual([1]);
    const proof = { password: user.password, code: codeOf(secret, 1) };
    expect((await owner.api.auth['two-factor'].$delete({ json: proof })).status).toBe(204);
    expect(await daysLeft()).toEqual([1]);

    const { recoveryCodes } = await protect(owner, user);
    await owner.api.auth.logout.$post({ query: {} });
    const login = { identifier: user.email, password: user.password };
    await owner.api.auth.login.$post({ json: { ...login, remember: false } });
    await owner.api.auth.login.$post({ json: { ...login, remember: true } });
    const json = { code: recoveryCodes[0] ?? '' };
    const met = await owner.api.auth['two-factor'].challenges.$post({ json });
    expect(met.headers.getSetCookie().join()).toMatch(/session_token=[^;]+; Max-Age=2592000/);
    expect(await daysLeft()).toEqual([30]);
  });

  test('is locked after ten wrong codes in a row, across logins', async ({ server }) => {
    const user = await server.make.user();
    const { secret, recoveryCodes } = await protect(await server.as(user), user);
    const right = codeOf(secret, 1);
    const wrong = Array.from({ length: 11 }, (_, index) => String(index).padStart(6, '7'))
      .filter((code) => code !== right)
      .slice(0, 10);
    let visitor = await logIn(server, user);
    for (const [index, code] of wrong.entries()) {
      // One login allows five.
      if (index === 5) visitor = await logIn(server, user);
      const refused = await visitor.api.auth['two-factor'].challenges.$post({ json: { code } });
      expect(refused.status).toBe(422);
    }
    for (const code of [right, recoveryCodes[0] ?? '']) {
      const locked = await (await logIn(server, user)).api.auth['two-factor'].challenges.$post({
        json: { code },
      });
      expect(locked.status).toBe(429);
    }
  });

  test('accepts each recovery code once, until new ones are made', async ({ server }) => {
    const user = await server.make.user();
    const owner = await server.as(user);
    const { secret, recoveryCodes } = await protect(owner, user);
    const [first = '', second = ''] = recoveryCodes;
    expect(recoveryCodes.every((code) => /^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/.test(code))).toBe(true);
    const meet = async (code: string) =>
      (await (await logIn(server, user)).api.auth['two-factor'].challenges.$post({ json: { code } })).status;
    expect([await meet(first), await meet(first)]).toEqual([204, 422]);
    const renewed = await owner.api.auth['two-factor']['recovery-codes'].$post({
      json: { password: user.password, code: codeOf(secret, 1) },
    });
    const { recoveryCodes: fresh } = await renewed.json();
    expect([await meet(second), await meet(fresh[0] ?? '')]).toEqual([422, 204]);
  });

  test('accepts a recovery code without its dash, and with spaces', async ({ server }) => {
    const user = await server.make.user();
    const { recoveryCodes } = await protect(await server.as(user), user);
    const [first = '', second = '', third = ''] = recoveryCodes;
    const meet = async (code: string) =>
      (await (await logIn(server, user)).api.auth['two-factor'].challenges.$post({ json: { code } })).status;
    for (const typed of [
      first.replace('-', ''),
      second.replace('-', ' '),
      `${third.slice(0, 8)} ${third.slice(8)}`,
    ])
      expect(await meet(typed)).toBe(204);
    // Nothing else becomes a code by it.
    expect(await meet(first.replace('-', '').slice(1))).toBe(422);
  });

  test('accepts a recovery code once when several logins send it at the same time', async ({ server }) => {
    const user = await server.make.user();
    const [code = ''] = (await protect(await server.as(user), user)).recoveryCodes;
    const logins = await Promise.all(Array.from({ length: 5 }, () => logIn(server, user)));
    const met = await Promise.all(
      logins.map((visitor) => visitor.api.auth['two-factor'].challenges.$post({ json: { code } })),
    );
    expect(met.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422, 422]);
  });

  test('that was encrypted with another secret refers to support, whatever the code', async ({ server }) => {
    const user = await server.make.user();
    const { secret, recoveryCodes } = await protect(await server.as(user), user);
    await server.make.sql(
      'update two_factors set secret = reverse(secret), backup_codes = reverse(backup_codes) where user_id = $1',
      [user.id],
    );
    const { challenges } = (await logIn(server, user)).api.auth['two-factor'];
    for (const code of [codeOf(secret, 1), recoveryCodes[0] ?? '']) {
      expect(await errorOf(await challenges.$post({ json: { code } }))).toMatchObject({
        status: 422,
        fields: {
          code: 'La verifica in due passaggi va configurata di nuovo. Contatta il supporto.',
        },
      });
    }
  });

  test('cannot be bypassed with a mailed code', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    await protect(await server.as(user), user);
    await server.anonymous().api.auth.codes.$post({ json: { email: user.email } });
    const message = await server.mailbox.received('Accesso con codice non disponibile');
    expect(message.to?.[0]?.address).toBe(user.email);
    const entered = await server
      .anonymous()
      .api.auth['code-logins'].$post({ json: { email: user.email, code: '123456' } });
    expect(entered.status).toBe(422);
  });

  test('cannot be bypassed with a code mailed before it was set up', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    const stranger = server.anonymous();
    await stranger.api.auth.codes.$post({ json: { email: user.email } });
    const message = await server.mailbox.received('Il tuo codice di accesso');
    const [code = ''] = /^\d{6}$/m.exec(message.text ?? '') ?? [];
    await protect(await server.as(user), user);
    const entered = await stranger.api.auth['code-logins'].$post({ json: { email: user.email, code } });
    expect(await errorOf(entered)).toMatchObject({ status: 422, code: 'invalid_code' });
    expect((await stranger.api.me.$get()).status).toBe(401);
  });

  test('cannot be bypassed with a new password', async ({ server }) => {
    const user = await server.make.user({ emailVerified: true });
    await protect(await server.as(user), user);
    const { api } = server.anonymous();
    await api.auth.recoveries.$post({ json: { email: user.email } });
    const message = await server.mailbox.received('Scegli una nuova password');
    const token = /#reimposta=(\S+)/.exec(message.text ?? '')?.[1] ?? '';
    const reset = await api.auth['password-resets'].$post({ json: { token, password: 'nuova1' } });
    expect([reset.status, reset.headers.getSetCookie()]).toEqual([204, []]);
    await logIn(server, { ...user, password: 'nuova1' });
  });

  test('is switched off, or gets new recovery codes, only with the password and a code', async ({
    server,
  }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const factor = visitor.api.auth['two-factor'];
    const { secret, recoveryCodes, code: used } = await protect(visitor, user);
    const [password, wrong] = [user.password, 'sbagliata'];
    const [first = '', second = ''] = recoveryCodes;
    const unknown = codeOf(secret, 1) === '000000' ? '000001' : '000000';
    const refused = [
      { password: wrong, code: first },
      { password, code: unknown },
      { password, code: used },
      { password, code: 'AAAAA-AAAAA' },
    ];
    for (const json of refused) {
      const answers = [await factor['recovery-codes'].$post({ json }), await factor.$delete({ json })];
      const field = json.password === wrong ? 'password' : 'code';
      for (const answer of answers) {
        expect([answer.status, await answer.json()]).toMatchObject([
          422,
          { error: { fields: { [field]: expect.any(String) } } },
        ]);
      }
    }
    const passwordAlone = await visitor.send('DELETE', '/api/auth/two-factor', { password });
    expect(passwordAlone.status).toBe(422);
    const { rows } = await server.make.sql(
      `select action, detail, count(*)::int from audit_events where actor_id is null and subject_id = $1
       group by action, detail`,
      [user.id],
    );
    expect(rows).toEqual([{ action: 'login_failed', detail: { by: 'reauthentication' }, count: 8 }]);

    // The attempt with the wrong password did not use up the first recovery code.
    expect((await factor['recovery-codes'].$post({ json: { password, code: first } })).status).toBe(201);
    expect((await factor.$delete({ json: { password, code: second } })).status).toBe(422);
    expect((await factor.$delete({ json: { password, code: codeOf(secret, 1) } })).status).toBe(204);
    const login = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: user.email, password } });
    expect(await login.json()).toEqual({ twoFactor: false });
    const off = await factor.$delete({ json: { password, code: codeOf(secret, -1) } });
    expect(await off.json()).toMatchObject({ error: { code: 'two_factor_inactive' } });
  });

  test('is asked for before the account is deleted', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { secret, recoveryCodes } = await protect(visitor, user);
    const { password } = user;
    const [recovery = ''] = recoveryCodes;
    const unknown = codeOf(secret, 1) === '000000' ? '000001' : '000000';
    const refused = [
      { json: { password }, fields: { code: 'Inserisci il codice' } },
      { json: { password, code: unknown }, fields: { code: 'Il codice non è corretto o è scaduto.' } },
      {
        json: { password: 'sbagliata', code: recovery },
        fields: { password: 'La password non è corretta.' },
      },
    ];
    for (const { json, fields } of refused) {
      expect(await errorOf(await visitor.api.me.$delete({ json }))).toMatchObject({ status: 422, fields });
    }
    expect((await visitor.api.me.$get()).status).toBe(200);
    // The attempt with the wrong password did not use up the recovery code.
    expect((await visitor.api.me.$delete({ json: { password, code: recovery } })).status).toBe(204);
    expect((await visitor.api.me.$get()).status).toBe(401);
  });

  test('is not used up when the last administrator may not delete the account', async ({ server }) => {
    await server.make.sql("update profiles set banned = true where role = 'admin'");
    const admin = await server.make.user({ role: 'admin' });
    const visitor = await server.as(admin);
    const [code = ''] = (await protect(visitor, admin)).recoveryCodes;
    const json = { password: admin.password, code };
    for (const _attempt of [1, 2]) {
      expect(await errorOf(await visitor.api.me.$delete({ json }))).toMatchObject({ code: 'last_admin' });
    }
    await server.make.user({ role: 'admin' });
    expect((await visitor.api.me.$delete({ json })).status).toBe(204);
  });

  test('ends the previous session of the browser as soon as the password is entered', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { secret } = await protect(visitor, user);
    const before = visitor.cookies();
    const isAlive = async (cookies: string) => {
      const headers = { Cookie: cookies, Origin: server.origin };
      return (await fetch(`${server.origin}/api/auth/refresh`, { method: 'POST', headers })).ok;
    };
    expect(await isAlive(before)).toBe(true);
    const login = { identifier: user.email, password: user.password };
    expect(await (await visitor.api.auth.login.$post({ json: login })).json()).toEqual({ twoFactor: true });
    expect(await isAlive(before)).toBe(false);
    const met = await visitor.api.auth['two-factor'].challenges.$post({ json: { code: codeOf(secret, 1) } });
    expect(met.status).toBe(204);
    expect(await isAlive(visitor.cookies())).toBe(true);
  });
});
