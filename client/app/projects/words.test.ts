import { expect, test } from 'vitest';
import type { CalendarDate } from '#contract/dates.ts';
import { remaining } from './words.ts';

test.each([
  ['2026-11-25', 'fine prevista 3 giorni fa'],
  ['2026-11-27', 'fine prevista ieri'],
  ['2026-11-28', 'termina oggi'],
  ['2026-11-29', 'termina domani'],
  ['2026-12-01', 'ancora 3 giorni'],
])('of a project in progress that ends on %s, the card says: %s', (end, words) => {
  expect(remaining('2026-11-01' as CalendarDate, end as CalendarDate, '2026-11-28' as CalendarDate)).toBe(
    words,
  );
});
