import { expect, test } from 'vitest';
import { addDays, todayInRome } from './dates.ts';
import { type Requirements, requirementsLines, requirementsSchema } from './requirements.ts';

const sound: Requirements = {
  destination: 'Rotterdam',
  purpose: 'site-visit',
  startDate: todayInRome(),
  endDate: addDays(todayInRome(), 4),
  travelers: 4,
  budgetPerNight: 120,
  accommodation: 'hotel',
  roomType: 'single',
  beds: '1',
  amenities: [],
  location: 'office',
  maxDistanceKm: 10,
  accessibility: [],
  dietary: [],
  additional: [],
  notes: '',
};

test('requirements without a budget say that there is no limit, and not that a night may cost nothing', () => {
  const budgetOf = (budgetPerNight: number) =>
    requirementsLines({ ...sound, budgetPerNight })
      .flatMap(({ lines }) => lines)
      .find(([label]) => label === 'Budget per night')?.[1];
  expect([120, 1, 0].map(budgetOf)).toEqual(['$120', '$1', 'No limit given']);
});

test('a date that cannot be read and one of a year without dates are told so in English', () => {
  const messageOf = (endDate: string) =>
    requirementsSchema.safeParse({ ...sound, endDate }).error?.issues[0]?.message;
  expect(messageOf('31/02/2027')).toBe('Enter a date as dd/mm/yyyy');
  expect(messageOf('01/03/2203')).toBe('Enter a year from 1900 to 2199');
});
