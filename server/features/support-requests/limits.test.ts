import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Visitor } from '#server/testing/client.ts';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

test('an account can write to support 20 times an hour, and is then told when it can again, but not for one that was stored', async ({
  server,
}) => {
  const send = ({ api }: Visitor, key = randomUUID()) =>
    api['support-requests'].$post({
      header: { 'idempotency-key': key },
      json: { messaggio: 'Il PDF non si apre' },
    });
  const insistent = await server.as(await server.make.user());
  // One after the other: a busy machine answers so many at once with 503.
  for (let sent = 0; sent < 19; sent += 1) expect((await send(insistent)).status).toBe(201);
  const last = randomUUID();
  const stored = await send(insistent, last);
  const refused = await send(insistent);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  const repeated = await send(insistent, last);
  expect([repeated.status, await repeated.json()]).toEqual([201, await stored.json()]);
  expect((await send(await server.as(await server.make.user()))).status).toBe(201);
});
