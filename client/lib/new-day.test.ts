import { afterEach, expect, test, vi } from 'vitest';
import { freshToday } from './new-day.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('reads are fresh for five minutes (spec §9), and not beyond the day in Rome on which they were made', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const read = (at: string) => freshToday({ state: { dataUpdatedAt: Date.parse(at) } });
  vi.setSystemTime('2026-07-31T21:59:00Z');
  expect(read('2026-07-31T21:58:00Z')).toBe(300_000);
  vi.setSystemTime('2026-07-31T22:01:00Z');
  expect(read('2026-07-31T21:59:00Z')).toBe(0);
  expect(read('2026-07-31T22:00:00Z')).toBe(300_000);
});
