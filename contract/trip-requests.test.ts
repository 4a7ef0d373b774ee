import { expect, test } from 'vitest';
import { addDays, type CalendarDate } from './dates.ts';
import { leadTimeHint } from './trip-requests.ts';

test('a hint appears for a past start and for one within two weeks, but not for a later one (spec §9)', () => {
  const today = '2027-02-20' as CalendarDate;
  const hint = (days: number) => leadTimeHint(addDays(today, days), today);
  expect(hint(-1)).toMatch(/^Questa data è già passata/);
  expect([hint(0), hint(13)]).toEqual(
    Array(2).fill(
      'Manca poco: per avere più scelta consigliamo almeno 2\u2060–\u20603\u00a0settimane di anticipo.',
    ),
  );
  expect(hint(14)).toBeNull();
});
