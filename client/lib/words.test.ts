import { expect, it } from 'vitest';
import { addDays, type CalendarDate } from '#contract/dates.ts';
import { daysFrom } from './words.ts';

it('says how far a day is, with a separator between thousands as in every other number', () => {
  const today = '2028-02-28' as CalendarDate;
  const far = [0, 1, -1, 2, -2, 1000, -1039].map((days) => daysFrom(today, addDays(today, days)));
  expect(far).toEqual([
    'oggi',
    'domani',
    'ieri',
    'tra 2 giorni',
    '2 giorni fa',
    'tra 1.000 giorni',
    '1.039 giorni fa',
  ]);
});
