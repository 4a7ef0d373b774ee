import { describe, expect } from 'vitest';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

describe('errors of the browser', () => {
  test('a visitor reports one and learns the id it is logged under', async ({ server }) => {
    const response = await server.anonymous().api['client-errors'].$post({
      json: { name: 'TypeError', message: 'x is undefined', stack: 'at render', page: '/app/home' },
    });
    expect(response.status).toBe(202);
    expect((await response.json()).requestId).toBe(response.headers.get('X-Request-Id'));
  });

  test('a report of the wrong shape or size is refused', async ({ server }) => {
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

  test('one address reports 30 errors in ten minutes at most', async ({ server }) => {
    const visitor = server.anonymous();
    // Of an IPv6 address the second half is the caller's to choose.
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
