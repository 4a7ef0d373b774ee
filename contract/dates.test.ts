import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  addDays,
  addYears,
  type CalendarDate,
  calendarDateSchema,
  daysBetween,
  formatDate,
  formatDateTime,
  isCalendarDate,
  parseItalianDate,
  period,
  startOfMonth,
  todayInRome,
  withArticle,
} from './dates.ts';

const dates = fc
  .date({ min: new Date('1902-01-01'), max: new Date('2197-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as CalendarDate);
const date = (text: string) => calendarDateSchema.parse(text);

describe('calendar dates', () => {
  test.each([
    '2026-02-31',
    '2026-13-01',
    '2026-00-10',
    '2025-02-29',
    '26-01-01',
    '2026-1-1',
    '2026/03/01',
    '2026-03-010',
    '',
  ])('refuse %o', (text) => {
    expect(isCalendarDate(text)).toBe(false);
    expect(calendarDateSchema.safeParse(text).error?.issues[0]?.message).toBe(
      'Data non valida. Usa il formato gg/mm/aaaa.',
    );
  });

  test.each(['1899-12-31', '2200-01-01', '31/12/1899', '1/1/2200', '01012200', '0001-01-01'])(
    'refuse %o for its year, and say which years there are',
    (text) => {
      expect(isCalendarDate(text)).toBe(false);
      expect(calendarDateSchema.safeParse(text).error?.issues[0]?.message).toBe(
        'L’anno deve essere tra il 1900 e il 2199.',
      );
    },
  );

  test('of no year are told to have a wrong format if the calendar has no such day', () => {
    for (const text of ['31/02/2200', '2200-02-31', '29/02/1700']) {
      expect(calendarDateSchema.safeParse(text).error?.issues[0]?.message).toBe(
        'Data non valida. Usa il formato gg/mm/aaaa.',
      );
    }
  });

  test('are the days that the calendar has, from 1900 to 2199', () => {
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const texts = [1899, 1900, 2000, 2027, 2028, 2100, 2199, 2200].flatMap((year) =>
      numbers(0, 13).flatMap((month) =>
        numbers(0, 32).map((day) =>
          [year, month, day].map((part) => String(part).padStart(2, '0')).join('-'),
        ),
      ),
    );
    const existing = texts.filter((text) => {
      const at = new Date(`${text}T00:00:00Z`);
      return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
    });
    expect(texts.filter(isCalendarDate)).toEqual(existing.filter((text) => text >= '1900' && text < '2200'));
  });

  test('have their start of month across year ends', () => {
    expect(startOfMonth(date('2027-01-31'))).toBe('2027-01-01');
    expect(startOfMonth(date('2027-01-31'), -1)).toBe('2026-12-01');
    expect(startOfMonth(date('2027-11-30'), 14)).toBe('2029-01-01');
    expect(startOfMonth(date('2027-01-31'), -13)).toBe('2025-12-01');
  });

  test('have a leap day only in leap years', () => {
    expect(isCalendarDate('2028-02-29')).toBe(true);
    expect(addYears(date('2028-02-29'), 1)).toBe('2029-02-28');
    expect(addYears(date('2028-02-29'), 4)).toBe('2032-02-29');
  });

  test('differ by exactly the days added, across every clock change', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -700, max: 700 }), (from, days) => {
        expect(daysBetween(from, addDays(from, days))).toBe(days);
      }),
    );
  });

  test('can be typed back as shown', () => {
    fc.assert(
      fc.property(dates, (day) => {
        expect(parseItalianDate(formatDate(day))).toBe(day);
      }),
    );
  });

  test('can be typed with any separator or none, and with a two-digit year of this century', () => {
    fc.assert(
      fc.property(dates, fc.constantFrom('/', '-', '.', ''), (day, separator) => {
        const [date = '', month = '', year = ''] = formatDate(day).split('/');
        expect(parseItalianDate([date, month, year].join(separator))).toBe(day);
        const short = parseItalianDate([date, month, year.slice(2)].join(separator));
        const thisCentury = `20${day.slice(2)}`;
        expect(short).toBe(isCalendarDate(thisCentury) ? thisCentury : null);
      }),
    );
  });

  test.each([
    ['1/2/2026', '2026-02-01'],
    [' 01-02-2026 ', '2026-02-01'],
    ['31.12.2026', '2026-12-31'],
    ['12/03/25', '2025-03-12'],
    ['1-2-05', '2005-02-01'],
    [' 01022026 ', '2026-02-01'],
    ['120325', '2025-03-12'],
    ['31022026', null],
    ['1022026', null],
    ['01/022026', null],
    ['0102/2026', null],
    ['20260201', null],
    ['1/2/202', null],
    ['31/02/2026', null],
    ['2026-02-01', null],
    ['domani', null],
  ])('typed as %o are %o', (typed, expected) => {
    expect(parseItalianDate(typed)).toBe(expected);
  });
});

describe('Europe/Rome', () => {
  test.each([
    ['2026-06-30T21:59:59Z', '2026-06-30'],
    ['2026-06-30T22:00:00Z', '2026-07-01'],
    ['2026-12-31T22:59:59Z', '2026-12-31'],
    ['2026-12-31T23:00:00Z', '2027-01-01'],
  ])('at %s it is %s', (instant, expected) => {
    expect(todayInRome(new Date(instant))).toBe(expected);
  });

  test('is the same where the browser writes Canadian dates as American ones', () => {
    const { prototype } = Intl.DateTimeFormat;
    const format = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
    Object.defineProperty(prototype, 'format', {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        const american = () => '11/27/2026';
        return this.resolvedOptions().locale === 'en-CA' ? american : format.get?.call(this);
      },
    });
    onTestFinished(() => void Object.defineProperty(prototype, 'format', format));
    expect(todayInRome(new Date('2026-11-27T12:00:00Z'))).toBe('2026-11-27');
  });

  test.each([
    ['il', '2026-10-06', 'il 06/10/2026'],
    ['il', '2026-10-08', 'l’08/10/2026'],
    ['al', '2026-10-11', 'all’11/10/2026'],
    ['dal', '2026-11-18', 'dal 18/11/2026'],
    ['del', '2026-11-08', 'dell’08/11/2026'],
  ] as const)('has the article of its day as it is spoken: %s %s', (article, date, expected) => {
    expect(withArticle(article, formatDate(date as CalendarDate))).toBe(expected);
  });

  test('an instant is shown in Italian local time', () => {
    expect(formatDateTime('2026-07-01T10:05:00Z')).toBe('01/07/2026, 12:05');
    expect(formatDateTime('2026-01-01T10:05:00Z')).toBe('01/01/2026, 11:05');
  });
});

test('names a period of one day once', () => {
  const day = '2026-11-24' as CalendarDate;
  expect(period(day, day)).toBe('24/11/2026');
  expect(period(day, addDays(day, 1))).toBe('24/11/2026\u00a0– 25/11/2026');
});
