import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type CalendarDate } from '#contract/dates.ts';
import type { Timeline } from '#contract/projects.ts';
import { lengthOf, personRows, spanOf, windowOf } from './timeline.ts';

const day = (text: string) => text as CalendarDate;

function timelineOf(stays: [start: string, end: string, status?: 'In corso' | 'Completato'][]): Timeline {
  const projects = stays.map(([start, end, status = 'In corso'], index) => ({
    id: index + 1,
    name: `Sito ${index + 1}`,
    location: 'Gela',
    startDate: day(start),
    endDate: day(end),
    status,
    people: 1,
  }));
  const projectIds = projects.map(({ id }) => id);
  return {
    sample: false,
    projects,
    people: [{ id: 1, name: 'Ada', role: 'Tecnico', status: 'in trasferta', projectIds, away: [] }],
  };
}

describe('the window of the timeline', () => {
  test('consists of whole months, across a year end and a leap February', () => {
    const { startDate, endDate, months } = windowOf(day('2027-12-15'), 3);
    expect([startDate, endDate]).toEqual(['2027-12-01', '2028-02-29']);
    expect(months.map(({ label, year }) => [label, year])).toEqual([
      ['dic', 2027],
      ['gen', 2028],
      ['feb', 2028],
    ]);
  });

  test('is filled by its months without gaps, and every period stays inside', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.integer({ min: 1, max: 24 }), fc.nat(900), (start, count, length) => {
        const window = windowOf(addDays(day('1990-01-01'), start), count);
        const widths = window.months.map(({ width }) => width).reduce((sum, width) => sum + width, 0);
        expect(widths).toBeCloseTo(100, 6);
        const startDate = addDays(window.startDate, Math.min(length, lengthOf(window) - 1));
        const span = spanOf({ startDate, endDate: addDays(startDate, length) }, window);
        expect(span.left).toBeGreaterThanOrEqual(0);
        expect(span.width).toBeGreaterThan(0);
        expect(span.left + span.width).toBeLessThanOrEqual(100.000001);
      }),
    );
  });
});

describe('the row of a person', () => {
  test('shows double bookings and puts overlapping stays in separate lanes', () => {
    const [row] = personRows(
      timelineOf([
        ['2027-01-01', '2027-01-20'],
        ['2027-01-15', '2027-02-10'],
        ['2027-01-21', '2027-01-25'],
      ]),
    );
    expect(row?.stays.map(({ lane }) => lane)).toEqual([0, 1, 0]);
    expect(row?.overlaps).toEqual([
      { startDate: '2027-01-15', endDate: '2027-01-20' },
      { startDate: '2027-01-21', endDate: '2027-01-25' },
    ]);
    expect(row?.gaps).toEqual([]);
  });

  test('merges the double bookings of three projects', () => {
    const [row] = personRows(
      timelineOf([
        ['2027-01-01', '2027-01-31'],
        ['2027-01-05', '2027-01-20'],
        ['2027-01-10', '2027-02-10'],
      ]),
    );
    expect(row?.overlaps).toEqual([{ startDate: '2027-01-05', endDate: '2027-01-31' }]);
  });

  test('shows the free days between stays, but no gap between consecutive days', () => {
    const [row] = personRows(
      timelineOf([
        ['2027-01-01', '2027-01-10'],
        ['2027-01-11', '2027-01-12'],
        ['2027-02-01', '2027-02-02'],
      ]),
    );
    expect(row?.gaps).toEqual([{ startDate: '2027-01-13', endDate: '2027-01-31' }]);
    expect(row?.lanes).toBe(1);
  });

  test('does not count a completed project as a double booking', () => {
    const [row] = personRows(
      timelineOf([
        ['2027-01-01', '2027-01-10', 'Completato'],
        ['2027-01-05', '2027-01-12'],
      ]),
    );
    expect(row?.overlaps).toEqual([]);
  });
});
