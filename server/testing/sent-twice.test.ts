import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { accountAttempt } from '#server/http/router.ts';
import type { Visitor } from './client.ts';
import { type Operation, operationsOf } from './operations.ts';
import type { TestServer } from './server.ts';
import { test } from './test.ts';

/** A request that creates something. */
type Creation = {
  by: 'customer' | 'admin' | 'visitor';
  path: string;
  /** The body; `mark` appears in the created record. */
  body: (mark: string) => Record<string, unknown>;
  /** Fields that make it a different request. */
  other: Record<string, unknown>;
  /** SQL that returns one row for each complete creation: $1 is the mark. */
  made: string;
};

const member = { surname: 'Rossi', role: 'Tecnico' };
const account = (mark: string) => ({
  email: `${mark}@example.com`,
  password: 'segreta',
  fullName: 'Ida Sala',
  companyName: null,
});
const accountMade = (action: string) => `select from audit_events event
  join profiles made on made.id = event.subject_id
  where event.action = '${action}' and starts_with(made.email, $1)`;

const creations: Creation[] = [
  {
    by: 'customer',
    path: '/projects',
    other: { location: 'Pavia' },
    body: (mark) => ({ name: mark, location: 'Gela', newEmployees: [{ ...member, name: mark }] }),
    made: 'select from projects join employees on starts_with(employees.name, $1) where projects.name = $1',
  },
  {
    by: 'customer',
    path: '/employees',
    other: { role: 'Ingegnere' },
    body: (mark) => ({ ...member, name: mark }),
    made: 'select from employees where starts_with(name, $1)',
  },
  {
    by: 'customer',
    path: '/employees/imports',
    other: { employees: [{ ...member, name: 'Ada' }] },
    body: (mark) => ({ employees: ['A', 'B', 'C'].map((letter) => ({ ...member, name: mark + letter })) }),
    made: `select from employees where starts_with(name, $1 || 'A')`,
  },
  {
    by: 'customer',
    path: '/support-requests',
    other: { messaggio: 'Altro' },
    body: (mark) => ({ messaggio: mark }),
    made: `select from support_requests join mail_messages on strpos(body_text, $1) > 0 where message = $1`,
  },
  {
    by: 'visitor',
    path: '/contact-requests',
    other: { nome: 'Eva' },
    body: (mark) => ({ nome: 'Ada', cognome: mark, telefono: '+39 06 5550100' }),
    made: `select from contact_requests join mail_messages on subject like '%' || $1 where last_name = $1`,
  },
  {
    by: 'admin',
    path: '/users',
    other: { fullName: 'Eva Sala' },
    body: (mark) => ({ ...account(mark), role: 'admin' }),
    made: accountMade('user_created'),
  },
  {
    by: 'visitor',
    path: '/auth/registrations',
    other: { companyName: 'Sala srl' },
    body: account,
    made: accountMade('registered'),
  },
];

async function sender(server: TestServer, by: Creation['by']): Promise<Visitor> {
  if (by === 'visitor') return server.anonymous();
  return server.as(await server.make.user(by === 'admin' ? { role: 'admin' } : {}));
}

async function post(visitor: Visitor, path: string, body: object, key: string) {
  const response = await visitor.request(`/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** How often it was created. */
async function countOf({ make }: TestServer, { made }: Creation, mark: string): Promise<number> {
  return (await make.sql(made, [mark])).rows.length;
}

/** A unique word. */
const newMark = () => `m${randomUUID()}`;

/** Creates something but answers with the record it belongs to; its own test proves that it is created once. */
const ADDING = ['/admin/trip-requests/{id}/state-changes'];

/** Not in `creations`, because of a file or a copy by mail: the tests of the feature prove that they create once. */
const PROVEN_BY_FEATURE = ['/admin/invoices', '/invoices', '/requirements', '/trip-requests'];

/** Replaces what existed before, so nothing can exist twice. */
const REPLACING = ['/auth/tokens', '/auth/two-factor', '/auth/two-factor/recovery-codes'];

describe('an Idempotency-Key', () => {
  test('is accepted by every route that creates something', async ({ server }) => {
    const routes = (await operationsOf(server))
      .map((operation) => ({ ...operation, path: operation.path.replace(/^\/api/, '') }))
      .filter(
        ({ method, path, responses }) => method === 'POST' && (responses[201] || ADDING.includes(path)),
      );
    const isKeyed = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'idempotency-key');
    const { keyed = [], without = [] } = Object.groupBy(routes, (route) =>
      isKeyed(route) ? 'keyed' : 'without',
    );
    expect(without.map(({ path }) => path).sort()).toEqual(REPLACING);
    // A route that takes a key and ignores it would create twice.
    const proven = [...creations.map(({ path }) => path), ...PROVEN_BY_FEATURE, ...ADDING];
    expect(keyed.map(({ path }) => path).sort()).toEqual(proven.sort());
  });

  test.for(creations)(
    'makes a repeated POST $path create once and return the first answer',
    async (creation, { server }) => {
      const visitor = await sender(server, creation.by);
      const [mark, key] = [newMark(), randomUUID()];
      const first = await post(visitor, creation.path, creation.body(mark), key);
      expect(first.status).toBe(201);
      expect(await post(visitor, creation.path, creation.body(mark), key)).toEqual(first);
      expect(await countOf(server, creation, mark)).toBe(1);
    },
  );

  test.for(creations)('makes concurrent requests to POST $path create once', async (creation, { server }) => {
    const visitor = await sender(server, creation.by);
    const [mark, key] = [newMark(), randomUUID()];
    const twins = await Promise.all(
      [1, 2, 3].map(() => post(visitor, creation.path, creation.body(mark), key)),
    );
    expect(twins.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    expect(await countOf(server, creation, mark)).toBe(1);
  });

  test.for(creations)('reused with a different body is refused: POST $path', async (creation, { server }) => {
    const visitor = await sender(server, creation.by);
    const [mark, key] = [newMark(), randomUUID()];
    const body = creation.body(mark);
    const first = await post(visitor, creation.path, body, key);
    expect(first.status).toBe(201);
    const other = await post(visitor, creation.path, { ...body, ...creation.other }, key);
    expect({ status: other.status, code: JSON.parse(other.text).error.code }).toEqual({
      status: 422,
      code: 'idempotency_key_reused',
    });
    // The order of properties does not matter.
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    expect((await post(visitor, creation.path, turned, key)).status).toBe(201);
    expect(await countOf(server, creation, mark)).toBe(1);
  });

  test.for(creations.filter(({ body }) => 'password' in body('')))(
    'reused with a different password is refused: POST $path',
    async (creation, { server }) => {
      const visitor = await sender(server, creation.by);
      const [mark, key] = [newMark(), randomUUID()];
      const body = creation.body(mark);
      expect((await post(visitor, creation.path, body, key)).status).toBe(201);
      const other = await post(visitor, creation.path, { ...body, password: 'un’altra' }, key);
      expect({ status: other.status, code: JSON.parse(other.text).error.code }).toEqual({
        status: 422,
        code: 'idempotency_key_reused',
      });
      expect(await countOf(server, creation, mark)).toBe(1);
    },
  );

  test.for(creations.filter(({ by }) => by === 'customer'))(
    'of another customer or another record is independent: POST $path',
    async (creation, { server }) => {
      const key = randomUUID();
      for (const mark of [newMark(), newMark()]) {
        const visitor = await sender(server, 'customer');
        const before = await post(visitor, creation.path, creation.body(newMark()), randomUUID());
        expect(before.status).toBe(201);
        const first = await post(visitor, creation.path, creation.body(mark), key);
        expect(first.status).toBe(201);
        expect(await post(visitor, creation.path, creation.body(mark), key)).toEqual(first);
        expect(await countOf(server, creation, mark)).toBe(1);
      }
    },
  );

  test('of an account is stored without a digest of its password, which could be guessed', () => {
    const header = { 'idempotency-key': randomUUID() };
    const [one, other] = ['segreta', 'un’altra'].map((password) =>
      accountAttempt(header, { ...account('ida'), password }),
    );
    expect(one).toEqual(other);
  });

  test('other than the first gets no access to a registered account', async ({ server }) => {
    const body = account(newMark());
    const register = (key: string) => post(server.anonymous(), '/auth/registrations', body, key);
    expect((await register(randomUUID())).status).toBe(201);
    expect((await register(randomUUID())).status).toBe(409);
  });

  test('lets a retry complete a half-finished attempt', async ({ server }) => {
    const admin = await sender(server, 'admin');
    const mark = newMark();
    const key = randomUUID();
    const send = () => post(admin, '/users', { ...account(mark), role: 'admin' }, key);
    expect((await send()).status).toBe(201);
    // The state left by a process that dies between the two steps.
    await server.make.sql(
      `with half as (update profiles set role = 'user' where email = $1 returning id)
       delete from audit_events using half where action = 'user_created' and subject_id = half.id`,
      [`${mark}@example.com`],
    );
    const again = await send();
    expect(again.status).toBe(201);
    expect(JSON.parse(again.text)).toMatchObject({ role: 'admin', emailVerified: true });
  });

  test('does not let a retry undo later changes', async ({ server }) => {
    const admin = await sender(server, 'admin');
    const body = { ...account(newMark()), role: 'admin' };
    const key = randomUUID();
    const first = JSON.parse((await post(admin, '/users', body, key)).text);
    await admin.send('PATCH', `/api/users/${first.id}`, { role: 'user' });
    expect(JSON.parse((await post(admin, '/users', body, key)).text)).toMatchObject({ role: 'user' });
  });
});
