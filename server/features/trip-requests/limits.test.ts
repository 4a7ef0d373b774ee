import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Visitor } from '#server/testing/client.ts';
import { tripRequestOf } from '#server/testing/load.ts';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

const send = (visitor: Visitor, email: string, headers: Record<string, string> = {}) =>
  visitor.request('/api/trip-requests', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(tripRequestOf('Adria', email)),
  });

test('one contact address can be named 30 times an hour, by all accounts together', async ({ server }) => {
  const contact = 'capo.cantiere@example.com';
  const coordinator = await server.as(await server.make.user());
  // One after the other, here and below: a busy machine answers so many at once with 503.
  for (let sent = 0; sent < 30; sent += 1) expect((await send(coordinator, contact)).status).toBe(201);

  const colleague = await server.make.user({ emailVerified: true });
  const visitor = await server.as(colleague);
  const refused = await send(visitor, contact);
  expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
  const told =
    'A questo indirizzo sono già arrivate troppe conferme: riprova tra un’ora o scrivine un altro.';
  expect(await refused.json()).toMatchObject({ error: { fields: { email: told } } });
  expect((await send(visitor, 'altro.cantiere@example.com')).status).toBe(201);
  expect((await send(visitor, colleague.email)).status).toBe(201);
});

test('a request repeated with the same key is refused by no limit, and does not count towards that of its contact address', async ({
  server,
}) => {
  const contact = 'capo.officina@example.com';
  const sendAs = async (visitor: Visitor, key: string) =>
    (await send(visitor, contact, { 'Idempotency-Key': key })).status;
  const impatient = await server.as(await server.make.user());
  const key = randomUUID();
  // One more than an account can send in an hour.
  for (let count = 0; count < 31; count += 1) expect(await sendAs(impatient, key)).toBe(201);
  const colleague = await server.as(await server.make.user());
  for (let sent = 0; sent < 29; sent += 1) expect(await sendAs(colleague, randomUUID())).toBe(201);
  expect(await sendAs(colleague, randomUUID())).toBe(429);
  expect(await sendAs(impatient, key)).toBe(201);
});

test('one caller can have copies mailed to others 100 times in a quarter of an hour, by all accounts together', async ({
  server,
}) => {
  const caller = { 'X-Forwarded-For': '203.0.113.7' };
  for (let account = 0; account < 4; account += 1) {
    const visitor = await server.as(await server.make.user());
    for (let sent = 0; sent < 25; sent += 1)
      expect((await send(visitor, `persona${account}.${sent}@example.com`, caller)).status).toBe(201);
  }
  const owner = await server.make.user({ emailVerified: true });
  const visitor = await server.as(owner);
  const refused = await send(visitor, 'capo.magazzino@example.com', caller);
  expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
  expect((await send(visitor, owner.email, caller)).status).toBe(201);
  expect((await send(visitor, 'capo.magazzino@example.com')).status).toBe(201);
});

test("naming one's own address is unlimited only once the address is verified", async ({ server }) => {
  const [owner, unproven] = [await server.make.user({ emailVerified: true }), await server.make.user()];
  const statuses = async (email: string, reader: Visitor) => {
    const stranger = await server.as(await server.make.user());
    // From an address of their own: all callers together would exceed what one can send.
    for (let sent = 0; sent < 30; sent += 1)
      await send(stranger, email, { 'X-Forwarded-For': '198.51.100.4' });
    return (await send(reader, email)).status;
  };
  expect(await statuses(owner.email, await server.as(owner))).toBe(201);
  expect(await statuses(unproven.email, await server.as(unproven))).toBe(429);
});
