import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type CalendarDate, daysBetween, todayInRome } from './dates.ts';
import { sampleInvoices } from './invoices.ts';
import {
  PROJECT_TEXTS,
  projectProgress,
  projectSchema,
  sampleProjects,
  sampleTeamStats,
  sampleTimeline,
  timelineQuerySchema,
} from './projects.ts';

const day = (text: string) => text as CalendarDate;
const anyDay = fc.integer({ min: 0, max: 90_000 }).map((days) => addDays(day('1950-01-01'), days));

describe('progress of a project', () => {
  test('is 0 before the start, 100 from the end on, and the rounded share in between', () => {
    const progress = (today: string) => projectProgress(day('2028-02-01'), day('2028-03-01'), day(today));
    expect(progress('2028-01-31')).toBe(0);
    expect(progress('2028-02-01')).toBe(0);
    expect(progress('2028-02-02')).toBe(3);
    expect(progress('2028-02-29')).toBe(97);
    expect(progress('2028-03-01')).toBe(100);
    expect(progress('2030-01-01')).toBe(100);
  });

  test('of a single day is 0 before it and 100 from it on', () => {
    const progress = (today: string) => projectProgress(day('2027-05-05'), day('2027-05-05'), day(today));
    expect([progress('2027-05-04'), progress('2027-05-05'), progress('2027-05-06')]).toEqual([0, 100, 100]);
  });

  test('changes at midnight in Rome, not in the time zone of the server', () => {
    const start = day('2027-06-01');
    const end = day('2027-06-02');
    const at = (instant: string) => projectProgress(start, end, todayInRome(new Date(instant)));
    expect([at('2027-06-01T21:59:59Z'), at('2027-06-01T22:00:00Z')]).toEqual([0, 100]);
  });

  test('stays within 0 and 100 and never decreases over time, for random dates', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(3000), fc.integer({ min: -50, max: 3100 }), (start, length, passed) => {
        const end = addDays(start, length);
        const today = addDays(start, passed);
        const progress = projectProgress(start, end, today);
        expect(Number.isInteger(progress)).toBe(true);
        expect(progress).toBeGreaterThanOrEqual(0);
        expect(progress).toBeLessThanOrEqual(100);
        expect(projectProgress(start, end, addDays(today, 1))).toBeGreaterThanOrEqual(progress);
        if (passed < 0) expect(progress).toBe(0);
        if (daysBetween(end, today) >= 0) expect(progress).toBe(100);
      }),
    );
  });
});

describe('the sample projects', () => {
  test('match their invoices, which are issued after the start and add up to what the project has spent', () => {
    const today = day('2026-11-21');
    for (const { id, startDate, spentToDate } of sampleProjects(today)) {
      const own = sampleInvoices(today).filter(({ projectId }) => projectId === id);
      expect(own.map(({ amount }) => amount).reduce((sum, amount) => sum + amount)).toBe(spentToDate);
      for (const { issueDate } of own) expect(issueDate > startDate).toBe(true);
    }
  });

  test('are one running and one completed, on any day', () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        const [running, done] = sampleProjects(today);
        expect(projectSchema.safeParse(running).success).toBe(true);
        expect([running?.id, running?.status, done?.id, done?.status]).toEqual([
          99_999,
          'In corso',
          99_998,
          'Completato',
        ]);
        expect(running?.progress).toBeGreaterThan(0);
        expect(running?.progress).toBeLessThan(100);
        expect(done?.progress).toBe(100);
        expect(sampleTeamStats(today)).toMatchObject({
          people: running?.teamSize,
          unassigned: 5 - (running?.teamSize ?? 0),
        });
        expect(sampleTimeline(today, today, today).projects).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  });

  test('have been travelled for until today, in the part of it that is shown', () => {
    const today = day('2026-11-24');
    const away = (from: number, to: number) =>
      sampleTimeline(addDays(today, from), addDays(today, to), today).people[0]?.away;
    expect(away(-3, 30)).toEqual([{ startDate: '2026-11-21', endDate: '2026-11-24' }]);
    expect(away(-3, -2)).toEqual([{ startDate: '2026-11-21', endDate: '2026-11-22' }]);
    expect(away(1, 30)).toEqual([]);
  });
});

test.each([
  ['2026-12-01', '2026-01-01', PROJECT_TEXTS.endBeforeStart],
  ['2026-01-01', '2028-01-03', 'Scegli un periodo di al massimo due anni.'],
  ['2026-01-01', '2028-01-02', undefined],
])('a timeline from %s to %s is told what is wrong with its end, if anything', (from, to, message) => {
  const [problem] = timelineQuerySchema.safeParse({ from, to }).error?.issues ?? [];
  expect([problem?.path[0], problem?.message]).toEqual([message && 'to', message]);
});
