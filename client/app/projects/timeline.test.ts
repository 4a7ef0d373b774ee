import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type CalendarDate } from '#contract/dates.ts';
import { datesOverlap } from '#contract/employees.ts';
import type { Timeline } from '#contract/projects.ts';
import { lengthOf, type Period, personRows, spanOf, windowOf } from './timeline.ts';

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
  const projectIds = projects
    .toSorted((a, b) => a.startDate.localeCompare(b.startDate) || a.id - b.id)
    .map(({ id }) => id);
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

  test('shows of a period the days that it shares with it, and their place', () => {
    const window = windowOf(day('2027-02-10'), 1);
    const shown = (from: number, to: number) => {
      const period = { startDate: addDays(day('2027-02-01'), from), endDate: addDays(day('2027-02-01'), to) };
      if (!datesOverlap(period, window)) return null;
      const { left, width } = spanOf(period, window);
      return [Math.round(left * 0.28), Math.round(width * 0.28)];
    };
    expect(shown(-9, -1)).toBeNull();
    expect(shown(-9, 0)).toEqual([0, 1]);
    expect(shown(-9, 40)).toEqual([0, 28]);
    expect(shown(3, 5)).toEqual([3, 3]);
    expect(shown(27, 40)).toEqual([27, 1]);
    expect(shown(28, 40)).toBeNull();
  });
});

describe('the row of a person', () => {
  test('has, of any stays, the double bookings, the free days and lanes in which none overlaps', () => {
    const first = day('2027-01-01');
    const daysOf = ({ startDate, endDate }: Period) =>
      Array.from({ length: lengthOf({ startDate, endDate }) }, (_, index) => addDays(startDate, index));
    // Short and close together, so that many of them touch.
    const stay = fc.tuple(fc.nat(9), fc.nat(8), fc.constantFrom('In corso' as const, 'Completato' as const));
    fc.assert(
      fc.property(fc.array(stay, { minLength: 1, maxLength: 5 }), (drawn) => {
        const timeline = timelineOf(
          drawn.map(([from, length, status]) => [
            addDays(first, from),
            addDays(first, from + length),
            status,
          ]),
        );
        const stays = timeline.projects;
        const onADay = (date: CalendarDate) => stays.filter((one) => daysOf(one).includes(date));
        const all = daysOf({ startDate: first, endDate: addDays(first, 17) });
        const [row] = personRows(timeline);
        expect(row?.overlaps.every((overlap) => overlap.startDate <= overlap.endDate)).toBe(true);
        expect(row?.overlaps.flatMap(daysOf)).toEqual(
          all.filter((date) => onADay(date).filter(({ status }) => status === 'In corso').length > 1),
        );
        const worked = all.filter((date) => onADay(date).length > 0);
        expect(row?.gaps.flatMap(daysOf)).toEqual(
          all.filter(
            (date) => date > (worked[0] ?? '') && date < (worked.at(-1) ?? '') && !worked.includes(date),
          ),
        );
        const taken = row?.stays.flatMap(({ project, lane }) =>
          daysOf(project).map((date) => `${lane} ${date}`),
        );
        expect(new Set(taken).size).toBe(taken?.length);
        expect(row?.lanes).toBe(Math.max(...all.map((date) => onADay(date).length)));
      }),
    );
  });

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

  test('shows the free days from a stay before the period, and until one after it', () => {
    const gapsIn = (timeline: Timeline, around: { lastEnd?: CalendarDate; nextStart?: CalendarDate }) => {
      const people = timeline.people.map((person) => ({ ...person, ...around }));
      return personRows({ ...timeline, people })[0]?.gaps;
    };
    const shown = timelineOf([
      ['2027-02-01', '2027-02-10'],
      ['2027-02-11', '2027-02-20'],
    ]);
    const before = { startDate: '2027-01-01', endDate: '2027-01-31' };
    const after = { startDate: '2027-02-21', endDate: '2027-04-30' };
    expect(gapsIn(shown, { lastEnd: day('2026-12-31') })).toEqual([before]);
    expect(gapsIn(shown, { nextStart: day('2027-05-01') })).toEqual([after]);
    expect(gapsIn(shown, { lastEnd: day('2026-12-31'), nextStart: day('2027-05-01') })).toEqual([
      before,
      after,
    ]);
    expect(gapsIn(shown, { lastEnd: day('2027-01-31'), nextStart: day('2027-02-21') })).toEqual([]);
    expect(gapsIn(timelineOf([]), { lastEnd: day('2026-12-31'), nextStart: day('2027-05-01') })).toEqual([
      { startDate: '2027-01-01', endDate: '2027-04-30' },
    ]);
    expect(gapsIn(timelineOf([]), { lastEnd: day('2026-12-31') })).toEqual([]);
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
