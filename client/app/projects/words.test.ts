import { expect, test } from 'vitest';
import type { CalendarDate } from '#contract/dates.ts';
import { completed, remaining } from './words.ts';

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

test.each([
  [0, 'Diga'],
  [1, 'Diga. 1 persona risulta ancora in trasferta.'],
  [2, 'Diga. 2 persone risultano ancora in trasferta.'],
])('of a completed project whose team has %i people away is said: %s', (away, words) => {
  const person = (id: number) => ({ id, name: 'Ada Neri', role: 'Tecnico' });
  const team = [
    ...Array.from({ length: away }, (_, id) => ({ ...person(id), status: 'in trasferta' as const })),
    { ...person(away), status: 'Rientrato' as const },
  ];
  expect(completed({ name: 'Diga', team })).toBe(words);
});
