import { expect, test } from 'vitest';
import type { CalendarDate } from '#contract/dates.ts';
import { dayOf, periods } from './periods.ts';

test('named periods have an end, even where future invoices are listed', () => {
  expect(periods('2024-02-29' as CalendarDate)).toEqual({
    'Ultimi 30 giorni': { from: '2024-01-31', to: '2024-02-29' },
    'Ultimi 3 mesi': { from: '2023-11-30', to: '2024-02-29' },
    'Quest’anno': { from: '2024-01-01', to: '2024-12-31' },
    'Anno scorso': { from: '2023-01-01', to: '2023-12-31' },
  });
});

test('a bound in an address that is no date is no bound', () => {
  expect(['2024-02-29', '2024-02-30', 'ieri', '', null].map(dayOf)).toEqual([
    '2024-02-29',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
