import { describe, expect } from 'vitest';
import { median } from '#server/testing/median.ts';
import { test } from '#server/testing/test.ts';

const ROUNDS = 15;

describe('the time a login takes', () => {
  test('is the same for accounts that exist and for those that do not', async ({ server }) => {
    const user = await server.make.user();
    const visitor = server.anonymous();
    const identifiers = {
      known: user.email,
      unknown: 'nessuno@example.com',
      'unknown username': 'nessuno-di-noto',
    };
    const times: Record<string, number[]> = {};
    // In turn, so that whatever else the machine does falls on all alike; the first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, identifier] of Object.entries(identifiers)) {
        const started = performance.now();
        const answer = await visitor.api.auth.login.$post({
          json: { identifier, password: 'sbagliata', remember: false },
        });
        expect(answer.status).toBe(401);
        if (round > 0) times[name] = [...(times[name] ?? []), performance.now() - started];
      }
    }
    const known = median(times.known ?? []);
    for (const name of ['unknown', 'unknown username']) {
      const ratio = median(times[name] ?? []) / known;
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    }
  }, 300_000);
});
