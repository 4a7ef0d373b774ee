import { describe, expect } from 'vitest';
import { z } from 'zod';
import { todayInRome } from '#contract/dates.ts';
import { employeeListSchema } from '#contract/employees.ts';
import { listSchema } from '#contract/lists.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { test } from '#server/testing/test.ts';
import { encodeCursor } from './keyset.ts';

const page = listSchema(z.unknown());

/** A list, who requests it, and its ordering: name, direction and a position after every record. */
type List = {
  path: string;
  as: 'customer' | 'admin' | 'invoiceAdmin';
  end: [string, 'asc' | 'desc', string, number | string];
};

const newest: List['end'] = ['newest', 'desc', '0', 0];
const LISTS: List[] = [
  { path: '/api/projects?', as: 'customer', end: ['createdAt', 'desc', '0', 0] },
  { path: '/api/projects?sort=name&direction=asc&', as: 'customer', end: ['name', 'asc', 'zzz', 1] },
  { path: '/api/employees?', as: 'customer', end: ['createdAt', 'desc', '0', 0] },
  { path: '/api/employees?search=operaio&', as: 'customer', end: ['createdAt', 'desc', '0', 0] },
  { path: '/api/invoices?', as: 'customer', end: ['issueDate', 'desc', '1901-01-01', 0] },
  { path: '/api/trip-requests?', as: 'customer', end: newest },
  { path: '/api/admin/trip-requests?', as: 'admin', end: newest },
  { path: '/api/admin/mail-messages?', as: 'admin', end: newest },
  { path: '/api/users?', as: 'admin', end: ['newest', 'desc', '1970-01-01T00:00:00.000000Z', 'a'] },
  {
    path: '/api/users?search=cliente&',
    as: 'admin',
    end: ['newest', 'desc', '1970-01-01T00:00:00.000000Z', 'a'],
  },
  { path: '/api/admin/invoices?', as: 'invoiceAdmin', end: ['issueDate', 'desc', '1901-01-01', 0] },
  {
    path: '/api/admin/invoices?search=fat&',
    as: 'invoiceAdmin',
    end: ['issueDate', 'desc', '1901-01-01', 0],
  },
  { path: '/api/admin/customers?', as: 'invoiceAdmin', end: ['name', 'asc', 'zzz', 0] },
  { path: '/api/admin/customers/:id/projects?', as: 'invoiceAdmin', end: newest },
];

describe('every list', () => {
  let who: Record<List['as'], TestUser>;

  test.beforeAll(async ({ server }) => {
    const customer = await server.make.user();
    who = {
      customer,
      admin: await server.make.user({ role: 'admin' }),
      invoiceAdmin: await server.make.invoiceAdmin(),
    };
    for (let count = 0; count < 2; count += 1) {
      const project = await server.make.project(customer);
      await server.make.employee(customer, {}, project);
      await server.make.invoice(customer, project, { issueDate: todayInRome() });
      await server.make.tripRequest(customer);
      await server.make.undeliveredMail();
    }
  });

  test.for(LISTS)(
    'returns its total even past the last page: $path',
    async ({ path, as, end }, { server }) => {
      const visitor = await server.as(who[as]);
      const read = async (query: string) => {
        const response = await visitor.request(`${path.replace(':id', who.customer.id)}${query}`);
        expect(response.status).toBe(200);
        return (await response.json()) as z.infer<typeof page> & Record<string, unknown>;
      };
      const first = await read('limit=1');
      expect(first.total).toBeGreaterThan(1);
      expect(first.nextCursor).not.toBeNull();
      const [name, direction, value, id] = end;
      const cursor = encodeCursor(
        { name, direction, key: { expression: undefined as never, type: 'text' } },
        { value, id },
      );
      expect(await read(`cursor=${cursor}`)).toEqual({ ...first, items: [], nextCursor: null });
    },
  );
});

test('a list sorted by name has a next page after the longest name', async ({ server }) => {
  const customer = await server.make.user();
  const visitor = await server.as(customer);
  const list = employeeListSchema;
  // Each of these letters is one character as typed, but three when sorted.
  for (let count = 0; count < 2; count += 1) await server.make.employee(customer, { name: '각'.repeat(160) });
  const path = '/api/employees?sort=name&direction=asc&limit=1';
  const first = list.parse(await (await visitor.request(path)).json());
  const second = list.parse(await (await visitor.request(`${path}&cursor=${first.nextCursor}`)).json());
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(2);
});

test('a cursor is refused for any other order than its own', async ({ server }) => {
  const customer = await server.make.user();
  for (let count = 0; count < 2; count += 1) await server.make.employee(customer);
  const visitor = await server.as(customer);
  const read = (query: string) => visitor.request(`/api/employees?limit=1&${query}`);
  const { nextCursor } = employeeListSchema.parse(await (await read('sort=name&direction=asc')).json());
  const statuses = [];
  for (const order of ['sort=name&direction=asc', 'sort=name&direction=desc', 'sort=role&direction=asc'])
    statuses.push((await read(`${order}&cursor=${nextCursor}`)).status);
  expect(statuses).toEqual([200, 400, 400]);
});

describe('a forged cursor', () => {
  test.for([
    '2024-02-30T00:00:00.000000Z',
    '0000-01-01T00:00:00.000000Z',
    '2024-13-01T00:00:00.000000Z',
    '2024-02-01T24:30:00.000000Z',
    '2024-02-01T00:60:00.000000Z',
    '2024-02-01T00:00:00Z',
    '2024-02-01T::.Z',
  ])('is refused: %s', async (value, { server }) => {
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    const newestFirst = {
      name: 'newest',
      direction: 'desc',
      key: { expression: undefined as never, type: 'text' },
    } as const;
    const cursor = encodeCursor(newestFirst, { value, id: 'a' });
    const response = await admin.request(`/api/users?cursor=${cursor}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_cursor' } },
    ]);
  });
});
