import { describe, expect, vi } from 'vitest';
import { errorBodySchema } from '#contract/error-body.ts';
import type { UserChanges } from '#contract/users.ts';
import { errorOf } from '#server/testing/client.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import { mailed } from '#server/testing/mailbox.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { codeOf } from '#server/testing/totp.ts';

async function administrator(server: TestServer) {
  const user = await server.make.user({ role: 'admin' });
  return { ...user, visitor: await server.as(user) };
}

describe('the list of users', () => {
  test('can be searched by name and company, ignoring case and accents and taking wildcards literally', async ({
    server,
  }) => {
    const { visitor } = await administrator(server);
    await server.make.user({ fullName: 'Niccolò Dè Santi', companyName: 'Perché No S.p.A.' });
    const found = async (search: string) =>
      (await (await visitor.api.users.$get({ query: { search } })).json()).items.map(
        ({ fullName }) => fullName,
      );
    expect(await found('niccolo DE')).toEqual(['Niccolò Dè Santi']);
    expect(await found('PERCHE no')).toEqual(['Niccolò Dè Santi']);
    expect(await found('no  santi de PERCHE niccolo s.p.a.')).toEqual(['Niccolò Dè Santi']);
    expect(await found('santi de niccolo verdi')).toEqual([]);
    // Wildcards of LIKE are searched literally.
    for (const search of ['%', '_', '\\', 'niccolo%santi'])
      expect([search, await found(search)]).toEqual([search, []]);
  });

  test('can be limited to one account, also within a search', async ({ server }) => {
    const { visitor } = await administrator(server);
    const account = await server.make.user({ companyName: 'Ponti Alti S.r.l.' });
    await server.make.user({ email: `anna.${account.email}` });
    const { id } = account;
    const found = async (query: { id: string; search?: string }) => {
      const page = await (await visitor.api.users.$get({ query })).json();
      return [page.items.map((user) => user.id), page.total];
    };
    expect(await found({ id })).toEqual([[id], 1]);
    expect(await found({ id, search: 'ponti' })).toEqual([[id], 1]);
    expect(await found({ id, search: 'anna' })).toEqual([[], 0]);
    expect(await found({ id: 'nobody' })).toEqual([[], 0]);
    await visitor.api.users[':id'].$delete({ param: { id } });
    expect(await found({ id })).toEqual([[], 0]);
  });

  test('is newest first in pages, with each account once and the total', async ({ server }) => {
    const { visitor } = await administrator(server);
    const made: { id: string; day: number }[] = [];
    // Accounts of one instant are on two pages.
    for (const day of [2, 1, 2, 3, 2]) {
      const createdAt = new Date(`2026-01-0${day}T08:00:00Z`);
      const { id } = await server.make.user({ createdAt, companyName: 'Lista S.r.l.' });
      made.push({ id, day });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { search: 'lista', limit: '2', ...(cursor && { cursor }) };
      const page = await (await visitor.api.users.$get({ query })).json();
      expect(page.total).toBe(5);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const newestFirst = made.toSorted((one, other) => other.day - one.day || (one.id < other.id ? 1 : -1));
    expect(seen).toEqual(newestFirst.map(({ id }) => id));
  });

  test('contains no password and no session', async ({ server }) => {
    const { visitor } = await administrator(server);
    const page = await (await visitor.api.users.$get({ query: {} })).json();
    expect(Object.keys(page.items[0] ?? {}).sort()).toEqual([
      'companyName',
      'createdAt',
      'email',
      'emailVerified',
      'fullName',
      'id',
      'manageable',
      'role',
      'suspended',
    ]);
  });
});

describe('an administrator', () => {
  test('creates an account that can log in, with the given role and a confirmed address', async ({
    server,
  }) => {
    const { visitor } = await administrator(server);
    const made = await visitor.api.users.$post({
      header: {},
      json: {
        email: 'Nuovo.Utente@example.com',
        password: 'segreta',
        fullName: 'Nuovo Utente',
        companyName: 'Nuova S.r.l.',
        role: 'admin',
      },
    });
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({
      role: 'admin',
      emailVerified: true,
      companyName: 'Nuova S.r.l.',
    });
    const login = await server
      .anonymous()
      .api.auth.login.$post({ json: { identifier: 'nuovo.utente', password: 'segreta' } });
    expect(login.status).toBe(200);
  });

  test('is told which required fields are missing, and cannot create the reserved account', async ({
    server,
  }) => {
    const { visitor } = await administrator(server);
    const empty = await visitor.send('POST', '/api/users', { email: '', password: '', fullName: '' });
    expect(errorBodySchema.parse(await empty.json()).error.fields).toEqual({
      email: 'Compila tutti i campi obbligatori.',
      password: 'Compila tutti i campi obbligatori.',
      fullName: 'Compila tutti i campi obbligatori.',
    });
    const reserved = await visitor.api.users.$post({
      header: {},
      json: {
        email: server.services.env.invoiceAdminEmail,
        password: 'segreta',
        fullName: 'Furbo',
        companyName: null,
      },
    });
    expect(await errorOf(reserved)).toMatchObject({ status: 409, code: 'email_reserved' });
  });

  test('changes a role, which ends the sessions of that account', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ emailVerified: true });
    const theirs = await server.as(user);
    const param = { id: user.id };
    const changed = await visitor.api.users[':id'].$patch({ param, json: { role: 'admin' } });
    expect(await changed.json()).toMatchObject({ role: 'admin' });
    expect((await theirs.api.auth.refresh.$post()).status).toBe(401);
  });

  test('cannot make an account administrator while its address is unconfirmed, because anybody may have registered it', async ({
    server,
  }) => {
    const { visitor } = await administrator(server);
    const stranger = { email: 'collega@provider.example', password: 'segreta', fullName: 'Un Collega' };
    await server
      .anonymous()
      .api.auth.registrations.$post({ header: {}, json: { ...stranger, companyName: null } });
    const found = await (await visitor.api.users.$get({ query: { search: stranger.email } })).json();
    const [user] = found.items;
    expect(user).toMatchObject({ emailVerified: false });
    const param = { id: user?.id ?? '' };
    const refused = await visitor.api.users[':id'].$patch({ param, json: { role: 'admin' } });
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'email_unconfirmed' });
    expect(await (await visitor.api.users[':id'].$get({ param })).json()).toMatchObject({ role: 'user' });
  });

  test('changes name and role in one request, and both are recorded', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ emailVerified: true });
    const json = { fullName: 'Nome Nuovo', role: 'admin' } as const;
    await visitor.api.users[':id'].$patch({ param: { id: user.id }, json });
    const { rows } = await server.make.sql(
      'select action, detail from audit_events where subject_id = $1 order by action',
      [user.id],
    );
    expect(rows).toEqual([
      { action: 'role_changed', detail: { from: 'user', to: 'admin' } },
      { action: 'user_updated', detail: { fields: ['fullName'] } },
    ]);
  });

  test('cannot overwrite a name saved after the change started, but can change another or save the same', async ({
    server,
  }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ fullName: 'Ugo Ridolfi', companyName: null });
    const from = { fullName: 'Ugo Ridolfi', companyName: null };
    const send = (json: UserChanges) =>
      visitor.api.users[':id'].$patch({ param: { id: user.id }, json: { ...json, from } });
    expect((await send({ fullName: 'Ugo Bassi' })).status).toBe(200);
    const late = await send({ fullName: 'Ugo Maria Ridolfi', companyName: 'Ridolfi', suspended: true });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      error: { code: 'conflict' },
      current: { fullName: 'Ugo Bassi', companyName: null, suspended: false },
    });
    expect((await send({ fullName: 'Ugo  Bassi ' })).status).toBe(200);
    const other = await send({ companyName: 'Ridolfi' });
    expect(await other.json()).toMatchObject({ fullName: 'Ugo Bassi', companyName: 'Ridolfi' });
  });

  test('saves unchanged values without recording an event', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ companyName: 'Uguale S.r.l.' });
    const param = { id: user.id };
    const same = {
      fullName: user.fullName,
      companyName: 'Uguale S.r.l.',
      role: 'user',
      suspended: false,
    } as const;
    for (const json of [{}, same]) {
      const changed = await visitor.api.users[':id'].$patch({ param, json });
      expect(await changed.json()).toMatchObject(same);
    }
    const { rows } = await server.make.sql('select action from audit_events where subject_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('deletes an account once when three requests arrive at the same time', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user();
    const param = { id: user.id };
    const held: [string, string[]] = ['select from profiles where id = $1 for update', [user.id]];
    const answers = await duringTransaction(server, held, 3, () =>
      Promise.all([1, 2, 3].map(() => visitor.api.users[':id'].$delete({ param }))),
    );
    expect(answers.map(({ status }): number => status).sort()).toEqual([204, 404, 404]);
    const { rowCount } = await server.make.sql(
      "select from audit_events where subject_id = $1 and action = 'account_deleted'",
      [user.id],
    );
    expect(rowCount).toBe(1);
  });

  for (const loss of ['banned = true', "role = 'user'", 'banned = true, deleted_at = now()']) {
    test(`is over for commands that waited for: ${loss}`, async ({ server }) => {
      const { id, password, visitor } = await administrator(server);
      const [other] = [await administrator(server), await administrator(server)];
      const request = await server.make.tripRequest(other, { state: 'Inviata' });
      const { users, me, admin } = visitor.api;
      const param = { id: other.id };
      const json = {
        fullName: 'Ada Neri',
        companyName: null,
        email: `nuovo-${id}@example.com`,
        password: 'una password lunga',
        role: 'admin',
      } as const;
      const held = `update profiles set ${loss}
        from (select id as held from profiles where id = $1 for update) profile where id = held`;
      const answers = await duringTransaction(server, [held, [id]], 6, () =>
        Promise.all([
          users[':id'].$patch({ param, json: { suspended: true } }),
          users[':id'].$patch({ param, json: { fullName: 'Altro Nome' } }),
          users[':id'].$delete({ param }),
          users.$post({ header: {}, json }),
          me.$delete({ json: { password } }),
          admin['trip-requests'][':id']['state-changes'].$post({
            param: { id: String(request.id) },
            header: {},
            json: { from: 'Inviata', state: 'In lavorazione', note: null },
          }),
        ]),
      );
      expect(answers.map(({ status }): number => status)).toEqual(answers.map(() => 401));
      const created = await server.make.sql('select from profiles where email = $1', [json.email]);
      expect(created.rowCount).toBe(0);
    });
  }

  test('suspends an account, which ends its sessions, and reinstates it', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user();
    const theirs = await server.as(user);
    const login = async () =>
      (
        await server
          .anonymous()
          .api.auth.login.$post({ json: { identifier: user.email, password: user.password } })
      ).status;
    const suspend = (suspended: boolean) =>
      visitor.api.users[':id'].$patch({ param: { id: user.id }, json: { suspended } });
    const working = await server.as(user);
    await suspend(true);
    expect(await (await working.api.auth.session.$get()).json()).toEqual({ me: null });
    expect(await login()).toBe(403);
    expect((await theirs.api.auth.refresh.$post()).status).toBe(401);
    await suspend(false);
    expect(await login()).toBe(200);
  });

  test('suspends an account, which nothing given out before can open', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ emailVerified: true });
    const twoFactorUser = await server.make.user();
    const { email } = user;

    const coded = server.anonymous();
    await coded.api.auth.codes.$post({ json: { email } });
    const code = await mailed(server.mailbox, email, 'Il tuo codice di accesso', /^(\d{6})$/m);
    await coded.api.auth.recoveries.$post({ json: { email } });
    const token = await mailed(server.mailbox, email, 'Scegli una nuova password', /#reimposta=(\S+)/);
    const owner = await server.as(twoFactorUser);
    const { password } = twoFactorUser;
    const enrolment = await (await owner.api.auth['two-factor'].$post({ json: { password } })).json();
    await owner.api.auth['two-factor'].confirmations.$post({ json: { code: codeOf(enrolment.secret) } });
    const challenged = server.anonymous();
    const login = { identifier: twoFactorUser.email, password };
    expect(await (await challenged.api.auth.login.$post({ json: login })).json()).toEqual({
      twoFactor: true,
    });

    for (const { id } of [user, twoFactorUser])
      await visitor.api.users[':id'].$patch({ param: { id }, json: { suspended: true } });
    const [recovery = ''] = enrolment.recoveryCodes;
    const refused = [
      await coded.api.auth['code-logins'].$post({ json: { email, code } }),
      await challenged.api.auth['two-factor'].challenges.$post({ json: { code: recovery } }),
    ];
    for (const answer of refused)
      expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'account_suspended' });
    const reset = await coded.api.auth['password-resets'].$post({ json: { token, password: 'nuova1' } });
    expect(reset.headers.getSetCookie()).toEqual([]);
    const again = await coded.api.auth.login.$post({ json: { identifier: email, password: 'nuova1' } });
    expect(await errorOf(again)).toMatchObject({ status: 403, code: 'account_suspended' });
    const { rows } = await server.make.sql('select from sessions where user_id = any($1)', [
      [user.id, twoFactorUser.id],
    ]);
    expect(rows).toEqual([]);
  });

  test('suspends an account, which a login at the same moment does not survive', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user();
    await server.as(user);
    const param = { id: user.id };
    const login = { identifier: user.email, password: user.password };
    const sessions: [string, string[]] = ['select from sessions where user_id = $1 for update', [user.id]];
    const entered = await duringTransaction(server, sessions, 2, async () => {
      const suspended = visitor.api.users[':id'].$patch({ param, json: { suspended: true } });
      await waitForLocks(server, 1);
      const [answer] = await Promise.all([
        server.anonymous().api.auth.login.$post({ json: login }),
        suspended,
      ]);
      return answer;
    });
    expect(await errorOf(entered)).toMatchObject({ status: 403, code: 'account_suspended' });
    const { rowCount } = await server.make.sql('select from sessions where user_id = $1', [user.id]);
    expect(rowCount).toBe(0);
  });

  test.for([
    ['admin', 'user'],
    ['user', 'admin'],
  ] as const)(
    'changes the role %s to %s, without which nobody reads whose login was under way',
    async ([before, after], { server, onTestFinished }) => {
      const { visitor } = await administrator(server);
      const user = await server.make.user({ role: before, emailVerified: true });
      const { password } = await server.services.auth.$context;
      const { verify } = password;
      const spy = vi.spyOn(password, 'verify').mockImplementationOnce(async (attempt) => {
        const right = await verify(attempt);
        const changed = visitor.api.users[':id'].$patch({ param: { id: user.id }, json: { role: after } });
        expect((await changed).status).toBe(200);
        return right;
      });
      onTestFinished(() => spy.mockRestore());
      const theirs = server.anonymous();
      const json = { identifier: user.email, password: user.password };
      const overtaken = await theirs.api.auth.login.$post({ json });
      expect(await errorOf(overtaken)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect((await theirs.api.me.$get()).status).toBe(401);
      expect((await theirs.api.auth.login.$post({ json })).status).toBe(200);
      expect(await (await theirs.api.me.$get()).json()).toMatchObject({ role: after });
    },
  );

  test.for([
    ['a suspension', { suspended: true }, { suspended: false }],
    ['a change of role', { role: 'admin' }, { role: 'user' }],
  ] as const)(
    'can repeat %s that failed because the sessions could not be ended',
    async ([, change, back], { server }) => {
      const { visitor } = await administrator(server);
      const user = await server.make.user({ emailVerified: true });
      const theirs = await server.as(user);
      const send = (json: typeof change | typeof back) =>
        visitor.api.users[':id'].$patch({ param: { id: user.id }, json });
      await server.make.sql(`
        create function fail() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
        create trigger fail before delete on sessions for each row execute function fail()`);
      const failed = await send(change);
      await server.make.sql('drop trigger fail on sessions; drop function fail');
      expect(failed.status).toBe(500);
      expect((await send(change)).status).toBe(200);
      expect((await send(back)).status).toBe(200);
      expect((await theirs.api.auth.refresh.$post()).status).toBe(401);
    },
  );

  test('ends sessions opened during a suspension when reinstating the account', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user();
    const theirs = await server.as(user);
    await server.make.sql('update profiles set banned = true where id = $1', [user.id]);
    await visitor.api.users[':id'].$patch({ param: { id: user.id }, json: { suspended: false } });
    expect((await theirs.api.auth.refresh.$post()).status).toBe(401);
  });

  test('sends a password reset link, and deletes an account', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ fullName: 'Da Recuperare' });
    const param = { id: user.id };
    expect((await visitor.api.users[':id'].recoveries.$post({ param })).status).toBe(202);
    const text = await mailed(server.mailbox, user.email, 'Scegli una nuova password', /^(.*)$/s);
    expect(text).not.toContain('chiesto');
    expect((await visitor.api.users[':id'].$delete({ param })).status).toBe(204);
    expect((await visitor.api.users[':id'].$get({ param })).status).toBe(404);
  });

  test('cannot send a reset link to a suspended account', async ({ server }) => {
    const { visitor } = await administrator(server);
    const user = await server.make.user({ banned: true });
    const param = { id: user.id };
    const refused = await visitor.api.users[':id'].recoveries.$post({ param });
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'user_suspended' });
    const { rows } = await server.make.sql('select action from audit_events where subject_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('can manage neither their own account nor the invoice administrator', async ({ server }) => {
    const { id, visitor } = await administrator(server);
    const invoiceAdmin = await server.make.invoiceAdmin();
    const change = (target: string) =>
      visitor.api.users[':id'].$patch({ param: { id: target }, json: { role: 'user' } });
    await administrator(server);
    expect(await errorOf(await change(id))).toMatchObject({ status: 409, code: 'own_account' });
    expect(await errorOf(await change(invoiceAdmin.id))).toMatchObject({
      status: 409,
      code: 'reserved_account',
    });
    const removed = await visitor.api.users[':id'].$delete({ param: { id: invoiceAdmin.id } });
    expect(await errorOf(removed)).toMatchObject({ status: 409, code: 'reserved_account' });
  });
});
