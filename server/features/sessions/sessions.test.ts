import { describe, expect, vi } from 'vitest';
import type { Session } from '#contract/sessions.ts';
import type { UserId } from '#server/auth/actor.ts';
import { AppError } from '#server/errors.ts';
import { reauthenticate } from '#server/features/accounts/commands.ts';
import { logOut } from '#server/features/sessions/commands.ts';
import { issueToken } from '#server/features/tokens/commands.ts';
import { confirm } from '#server/features/two-factor/commands.ts';
import { errorOf, type Visitor } from '#server/testing/client.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { duringTransaction, losingDatabase } from '#server/testing/locks.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signIn(server: TestServer, { email, password }: TestUser, remember = true) {
  const visitor = server.anonymous();
  await visitor.request('/api/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
    body: JSON.stringify({ identifier: email, password, remember }),
  });
  return visitor;
}

/** A page of the sessions of an account; by default the first. */
async function listed(visitor: Visitor, query: { limit?: string; cursor?: string | undefined } = {}) {
  return (await visitor.api.auth.sessions.$get({ query })).json();
}

describe('sessions', () => {
  test('are listed with their device, the current one first, and can be ended one by one', async ({
    server,
  }) => {
    const user = await server.make.user();
    const here = await signIn(server, user);
    const elsewhere = await signIn(server, user);
    const idle = await signIn(server, user);
    await elsewhere.api.auth.refresh.$post();
    const { items: sessions } = await listed(here);
    expect(sessions.map(({ current, device, ipAddress }) => [current, device, ipAddress])).toEqual([
      [true, 'Firefox su Windows', '127.0.0.1'],
      [false, 'Firefox su Windows', '127.0.0.1'],
      [false, 'Firefox su Windows', '127.0.0.1'],
    ]);
    const id = sessions[1]?.id ?? '';
    expect((await here.api.auth.sessions[':id'].$delete({ param: { id } })).status).toBe(204);
    const { rows } = await server.make.sql(
      "select detail from audit_events where subject_id = $1 and action = 'sessions_ended'",
      [user.id],
    );
    expect(rows).toEqual([{ detail: { scope: 'one' } }]);
    expect((await elsewhere.api.auth.refresh.$post()).status).toBe(401);
    expect((await idle.api.auth.refresh.$post()).status).toBe(200);
    const again = await here.api.auth.sessions[':id'].$delete({ param: { id } });
    expect(await again.json()).toMatchObject({ error: { code: 'session_not_found' } });
  });

  test('can be ended on this device, on all others, or everywhere', async ({ server }) => {
    const user = await server.make.user();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => signIn(server, user)));
    const alive = async () =>
      Promise.all(
        [one, two, three].map(async (visitor) => (await visitor?.api.auth.refresh.$post())?.status),
      );
    await one?.api.auth.logout.$post({ query: {} });
    expect(await alive()).toEqual([401, 200, 200]);
    await two?.api.auth.logout.$post({ query: { scope: 'others' } });
    expect(await alive()).toEqual([401, 200, 401]);
    await two?.api.auth.logout.$post({ query: { scope: 'global' } });
    expect(await alive()).toEqual([401, 401, 401]);
  });

  test('cannot end others once ended themselves, even between the check and the deletion', async ({
    server,
  }) => {
    const { services } = server;
    const user = await server.make.user();
    const [here, elsewhere] = await Promise.all([1, 2].map(() => signIn(server, user)));
    const origin = { headers: new Headers({ cookie: here?.cookies() ?? '' }), ipAddress: '127.0.0.1' };
    const userId = user.id as UserId;
    await here?.api.auth.logout.$post({ query: {} });
    for (const scope of ['others', 'global'] as const) {
      const ending = logOut(services, { userId, kind: 'user', sessionId: 'ended' }, scope, origin);
      await expect(ending).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    expect((await elsewhere?.api.auth.refresh.$post())?.status).toBe(200);
  });

  test('are all listed and ended, even when there are 151', async ({ server }) => {
    const user = await server.make.user();
    const here = await signIn(server, user);
    await server.make.sql(
      `insert into sessions (id, token, user_id, expires_at, created_at, updated_at)
       select gen_random_uuid(), gen_random_uuid(), $1, now() + interval '1 day', now(), now() + n % 3 * interval '1 hour'
       from generate_series(1, 150) n`,
      [user.id],
    );
    await here.api.auth.refresh.$post();
    const sessions: Session[] = [];
    let cursor: string | undefined;
    do {
      const page = await listed(here, { limit: '60', cursor });
      expect([page.total, page.items.length <= 60]).toEqual([151, true]);
      sessions.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(151);
    const [current, ...others] = sessions;
    expect(current?.current).toBe(true);
    const lastUses = others.map(({ lastUsedAt }) => lastUsedAt);
    expect(lastUses).toEqual(lastUses.toSorted().reverse());
    expect(
      (await listed(here, { limit: '1', cursor: (await listed(here, { limit: '1' })).nextCursor ?? '' }))
        .items,
    ).toEqual(others.slice(0, 1));
    const endOthers = () => here.api.auth.logout.$post({ query: { scope: 'others' } });
    const left = async () =>
      (await server.make.sql('select from sessions where user_id = $1', [user.id])).rowCount;
    // All of them or none.
    const one = 'select from sessions where user_id = $1 and user_agent is null limit 1 for update';
    const held: [string, string[]] = [one, [user.id]];
    expect(await errorOf(await losingDatabase(server, held, endOthers))).toMatchObject({ status: 503 });
    expect(await left()).toBe(151);
    const stranger = await signIn(server, await server.make.user());
    expect((await endOthers()).status).toBe(204);
    expect(await left()).toBe(1);
    expect((await stranger.api.auth.refresh.$post()).status).toBe(200);
  });

  test('that cannot be read or ended because the database is lost are unavailable for a moment, not a bug', async ({
    server,
  }) => {
    const user = await server.make.user();
    const here = await signIn(server, user);
    await signIn(server, user);
    const { sessions } = here.api.auth;
    const [, other] = (await listed(here)).items;
    const param = { id: other?.id ?? '' };
    const held: [string, string[]] = ['select from sessions where id = $1 for update', [param.id]];
    const deleting = await losingDatabase(server, held, () => sessions[':id'].$delete({ param }));
    const listing = await losingDatabase(server, 'sessions', () => sessions.$get({ query: {} }));
    const ending = await losingDatabase(server, 'sessions', () =>
      sessions[':id'].$delete({ param: { id: 'unknown' } }),
    );
    for (const answer of [deleting, listing, ending])
      expect(await errorOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
  });

  test('that cannot be read because the database is lost are not taken for ended', async ({ server }) => {
    const { services } = server;
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const [session] = (await listed(visitor)).items;
    const actor = { userId: user.id as UserId, kind: 'user', sessionId: session?.id ?? '' } as const;
    visitor.keep(['trasvia.session_data=; Max-Age=0']);
    const origin = { headers: new Headers({ cookie: visitor.cookies() }), ipAddress: '127.0.0.1' };
    const failure = (work: () => Promise<unknown>) =>
      losingDatabase(server, 'sessions', () => work().catch((error: unknown) => error));
    const proving = () => reauthenticate(services, actor, user.password, origin);
    expect(await failure(proving)).toMatchObject({ code: 'unavailable' });
    const naming = () => issueToken(services, actor, origin.headers);
    expect(await failure(naming)).toMatchObject({ code: 'unavailable' });
    // In a transaction, the database itself is heard.
    const confirming = await failure(() => confirm(services, actor, '000000', origin));
    expect(confirming).toBeInstanceOf(Error);
    expect(confirming).not.toBeInstanceOf(AppError);
  });

  test('that could not be ended stay signed in, so that it can be tried again', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const lost = (work: () => Promise<Response>) =>
      losingDatabase(server, ['select from sessions where user_id = $1 for update', [user.id]], work);
    const login = { identifier: user.email, password: user.password };
    for (const work of [
      () => visitor.api.auth.logout.$post({ query: {} }),
      () => visitor.api.auth.logout.$post({ query: { scope: 'global' } }),
      () => visitor.api.auth.login.$post({ json: login }),
    ])
      expect(await errorOf(await lost(work))).toMatchObject({ status: 503, code: 'unavailable' });
    const { auth } = server.services;
    const headers = new Headers({ cookie: visitor.cookies() });
    const ending = () => auth.api.endSession({ headers }).catch(() => 'refused');
    expect(await losingDatabase(server, 'sessions', ending)).toBe('refused');
    expect((await visitor.api.auth.refresh.$post()).status).toBe(200);
    const { rows } = await server.make.sql(
      'select action, count(*)::int from audit_events where subject_id = $1 group by action',
      [user.id],
    );
    expect(rows).toEqual([{ action: 'login', count: 1 }]);
    // Nor is there one of the login, which nobody could use.
    const { rowCount } = await server.make.sql('select from sessions where user_id = $1', [user.id]);
    expect(rowCount).toBe(1);
  });

  test('that end while a request prolongs them are no longer open, not a bug', async ({ server }) => {
    const user = await server.make.user();
    for (const work of [
      (visitor: Visitor) => visitor.api.me.$get(),
      (visitor: Visitor) => visitor.api.auth.refresh.$post(),
    ]) {
      const visitor = await signIn(server, user);
      visitor.keep(['trasvia.session_data=; Max-Age=0']);
      await server.make.sql(
        "update sessions set expires_at = expires_at - interval '2 days' where user_id = $1",
        [user.id],
      );
      const end: [string, unknown[]] = ['delete from sessions where user_id = $1', [user.id]];
      const refused = await duringTransaction(server, end, 1, async () => errorOf(await work(visitor)));
      expect(refused).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  test('are extended when refreshed: by a day, or by thirty if remembered', async ({ server }) => {
    const user = await server.make.user();
    const days = async (remember: boolean, used: string) => {
      const visitor = await signIn(server, user, remember);
      await server.make.sql('update sessions set expires_at = expires_at - $2::interval where user_id = $1', [
        user.id,
        used,
      ]);
      const { expiresAt } = await (await visitor.api.auth.refresh.$post()).json();
      return Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect([await days(false, '20 hours'), await days(true, '2 days')]).toEqual([1, 30]);
  });

  test('are not extended again once they last to their ninetieth day', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    await server.make.sql(
      `update sessions set created_at = now() - interval '70 days', expires_at = now() + interval '10 days'
       where user_id = $1`,
      [user.id],
    );
    const read = async () => {
      visitor.keep(['trasvia.session_data=; Max-Age=0']);
      const { headers } = await visitor.api.me.$get();
      const { rows } = await server.make.sql(
        `select updated_at as used, round(extract(epoch from expires_at - now()) / 86400)::int as days
         from sessions where user_id = $1`,
        [user.id],
      );
      return { ...rows[0], renewed: headers.getSetCookie().join().includes('session_token') };
    };
    const first = await read();
    expect(first).toMatchObject({ days: 20, renewed: true });
    expect(await read()).toEqual({ ...first, renewed: false });
  });

  test('that are remembered are extended by a page that the browser has cached', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const tag = (await visitor.request('/app/home')).headers.get('etag') ?? '';
    visitor.keep(['trasvia.session_data=; Max-Age=0']);
    await server.make.sql(
      "update sessions set expires_at = expires_at - interval '2 days' where user_id = $1",
      [user.id],
    );
    const answer = await visitor.request('/app/home', { headers: { 'If-None-Match': tag } });
    expect([answer.status, answer.headers.getSetCookie().join()]).toEqual([
      304,
      expect.stringMatching(/session_token=[^;]+; Max-Age=2592000/),
    ]);
  });

  test('are renewed by answers that fit into the 4 kB of a proxy, whatever the profile contains', async ({
    server,
  }) => {
    const user = await server.make.user();
    await server.make.sql(
      "update profiles set full_name = $2, company_name = $2, profile_picture = 'https://img.example/' || repeat('x', 1980) where id = $1",
      [user.id, '工'.repeat(120)],
    );
    const visitor = await signIn(server, user);
    visitor.keep(['trasvia.session_data=; Max-Age=0']);
    await server.make.sql(
      "update sessions set expires_at = expires_at - interval '2 days' where user_id = $1",
      [user.id],
    );
    const { headers } = await visitor.api.auth.session.$get();
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
    expect(lines.join('').length).toBeLessThan(3_000);
  });

  test('end when the same browser logs in again', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const before = visitor.cookies();
    const login = { identifier: user.email, password: user.password };
    expect((await visitor.api.auth.login.$post({ json: login })).status).toBe(200);
    expect((await visitor.api.auth.refresh.$post()).status).toBe(200);
    const replayed = await fetch(`${server.origin}/api/auth/refresh`, {
      method: 'POST',
      headers: { Cookie: before },
    });
    expect(replayed.status).toBe(401);
  });

  test('end ninety days after the login, even when refreshed', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const aged = async (days: number) => {
      await server.make.sql(
        `update sessions set created_at = now() - interval '${days} days' where user_id = $1`,
        [user.id],
      );
      return visitor.api.auth.refresh.$post();
    };
    const last = await (await aged(89)).json();
    const [open] = (await listed(visitor)).items;
    const hoursLeft = (Date.parse(last.expiresAt) - Date.now()) / 3_600_000;
    expect([Math.round(hoursLeft / 24), open?.expiresAt]).toEqual([1, last.expiresAt]);
    expect((await aged(91)).status).toBe(401);
    const { rows } = await server.make.sql('select 1 from sessions where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  test('that have ended allow only reads, and only with their signed cookie', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const signed = visitor.cookies();
    const token = signed.replace(/trasvia\.session_data=[^;]*/, '');
    const ask = async (method: string, path: string, cookies: string) => {
      const headers = { Cookie: cookies, Origin: server.origin };
      return (await fetch(`${server.origin}${path}`, { method, headers })).status;
    };
    const read = (cookies: string) => ask('GET', '/api/me', cookies);
    const write = (cookies: string) => ask('POST', '/api/auth/refresh', cookies);
    expect([await read(signed), await read(signed), await write(signed)]).toEqual([200, 200, 200]);

    await visitor.api.auth.logout.$post({ query: {} });
    expect([await read(signed), await write(signed)]).toEqual([200, 401]);
    // Without the signed cookie, or with either cookie changed, the server looks the session up and finds none.
    const forge = (cookie: string) =>
      signed.replace(
        new RegExp(`(${cookie}=.{9})(.)`),
        (_, start, next) => start + (next === 'A' ? 'B' : 'A'),
      );
    const forged = [token, forge('session_token'), forge('session_data')];
    expect(await Promise.all(forged.map(read))).toEqual([401, 401, 401]);
  });

  test('that have ended are not read from a remembered cookie after its minute', async ({
    server,
    onTestFinished,
  }) => {
    const user = await server.make.user();
    const headers = { Cookie: (await signIn(server, user)).cookies() };
    const read = async () => (await fetch(`${server.origin}/api/me`, { headers })).status;
    expect([await read(), await read()]).toEqual([200, 200]);
    await server.make.sql('delete from sessions where user_id = $1', [user.id]);
    expect(await read()).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await read()).toBe(401);
  });

  test.for(['admin', 'invoiceAdmin'] as const)(
    'of an account of kind %s that have ended allow nothing, not even reads with their signed cookie',
    async (kind, { server }) => {
      const user =
        kind === 'admin' ? await server.make.user({ role: 'admin' }) : await server.make.invoiceAdmin();
      const path = kind === 'admin' ? '/api/users' : '/api/admin/invoices';
      const visitor = await server.as(user);
      const headers = { Cookie: visitor.cookies() };
      const read = async (route: string) => (await fetch(`${server.origin}${route}`, { headers })).status;
      expect([await read(path), await read(path), await read('/api/me')]).toEqual([200, 200, 200]);
      await server.make.sql('delete from sessions where user_id = $1', [user.id]);
      expect([await read(path), await read('/api/search?q=rossi'), await read('/api/me')]).toEqual([
        401, 401, 401,
      ]);
      // A process that has not seen the cookie yet believes it no more.
      const [, other] = /(trasvia\.session_data=[^;]*)/.exec(headers.Cookie) ?? [];
      headers.Cookie = `${headers.Cookie.replace(`${other}`, '')}; a=b; ${other}`;
      expect(await read(path)).toBe(401);
    },
  );

  test('are read from the signed cookie only if nothing in it was changed', async ({ server }) => {
    const visitor = await signIn(server, await server.make.user());
    const cookies = visitor.cookies();
    const [, data = ''] = /trasvia\.session_data=([^;]*)/.exec(cookies) ?? [];
    const signed = JSON.parse(Buffer.from(data, 'base64url').toString());
    const { session, user } = signed.session;
    const read = async (path: string, content: unknown) => {
      const encoded = Buffer.from(JSON.stringify(content)).toString('base64url');
      const headers = { Cookie: cookies.replace(data, encoded) };
      return (await fetch(`${server.origin}${path}`, { headers })).status;
    };
    const asAdmin = { ...signed, session: { ...signed.session, user: { ...user, role: 'admin' } } };
    expect([await read('/api/users', signed), await read('/api/users', asAdmin)]).toEqual([403, 403]);

    // From here on, there is no session in the database to fall back on.
    await visitor.api.auth.logout.$post({ query: {} });
    const longer = { ...session, expiresAt: '2099-01-01T00:00:00.000Z' };
    const forged = [
      asAdmin,
      { ...signed, session: { ...signed.session, session: longer } },
      { ...signed, expiresAt: signed.expiresAt + 60_000 },
      { ...signed, signature: `${signed.signature.slice(0, -2)}AA` },
    ];
    expect(await read('/api/me', signed)).toBe(200);
    expect(await Promise.all(forged.map((content) => read('/api/me', content)))).toEqual([
      401, 401, 401, 401,
    ]);
  });

  test('expire if unused for too long', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await signIn(server, user);
    const expire = (end: string) =>
      server.make.sql(`update sessions set expires_at = now() + interval '${end}' where user_id = $1`, [
        user.id,
      ]);
    // Without the signed cookie, a read looks the session up, too.
    const token = visitor.cookies().replace(/trasvia\.session_data=[^;]*/, '');
    const read = async () => (await fetch(`${server.origin}/api/me`, { headers: { Cookie: token } })).status;
    await expire('1 minute');
    expect([await read(), (await visitor.api.auth.tokens.$post()).status]).toEqual([200, 201]);
    await expire('-1 second');
    expect([await read(), (await visitor.api.auth.tokens.$post()).status]).toEqual([401, 401]);
  });

  test.for(['xxx', '%%%', 'a b', '!', '', 'e30', 'eyJ9', 'x'.repeat(3_000)])(
    'are found only by their token if the data cookie is invalid: %j',
    async (value, { server }) => {
      const visitor = await signIn(server, await server.make.user());
      const ask = async (method: string, path: string, cookie: string) =>
        (
          await fetch(`${server.origin}${path}`, {
            method,
            headers: { Cookie: cookie, Origin: server.origin },
          })
        ).status;
      const [token = ''] = /trasvia\.session_token=[^;]*/.exec(visitor.cookies()) ?? [];
      const beside = `${token}; trasvia.session_data=${value}`;
      const piece = `${token}; trasvia.session_data.0=${value}`;
      const instead = `trasvia.session_token=${value}; trasvia.session_data=${value}`;
      expect([
        await ask('GET', '/api/me', beside),
        await ask('GET', '/api/me', piece),
        await ask('GET', '/api/auth/identities', beside),
        await ask('GET', '/api/me', instead),
        await ask('POST', '/api/auth/refresh', beside),
        await ask('POST', '/api/auth/logout', instead),
      ]).toEqual([200, 200, 200, 401, 200, 401]);
    },
  );

  test('are null, not an error, for a visitor without a login', async ({ server }) => {
    const answer = await server.anonymous().api.auth.session.$get();
    expect([answer.status, await answer.json()]).toEqual([200, { me: null }]);
  });
});
