import { describe, expect } from 'vitest';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

describe('client error reports', () => {
  test('are accepted without a login and answered with the request id they are logged under', async ({
    server,
  }) => {
    const response = await server.anonymous().api['client-errors'].$post({
      json: { name: 'TypeError', message: 'x is undefined', stack: 'at render', page: '/app/home' },
    });
    expect(response.status).toBe(202);
    expect((await response.json()).requestId).toBe(response.headers.get('X-Request-Id'));
  });

  test('are refused with missing, unknown or too long fields', async ({ server }) => {
    const visitor = server.anonymous();
    const report = { name: 'Error', message: 'm', page: '/app/home' };
    for (const body of [
      {},
      { ...report, page: 'x'.repeat(301) },
      { ...report, message: 'x'.repeat(501) },
      { ...report, user: 'demo' },
    ]) {
      const response = await visitor.send('POST', '/api/client-errors', body);
      expect(response.status).toBe(422);
    }
  });

  test('are limited to 30 per address in ten minutes', async ({ server }) => {
    const visitor = server.anonymous();
    // Callers can choose the second half of their IPv6 address, so it does not count.
    const report = (call: number) =>
      visitor.request('/api/client-errors', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `2001:db8:0:7::${call + 1}` },
        body: JSON.stringify({ name: 'Error', message: 'm', page: '/app/home' }),
      });
    const statuses: number[] = [];
    for (let call = 0; call < 31; call += 1) statuses.push((await report(call)).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 202), 429]);
  });
});
