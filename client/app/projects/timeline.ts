import { monthLetters } from '#client/lib/words.ts';
import { addDays, type CalendarDate, daysBetween, startOfMonth } from '#contract/dates.ts';
import type { Timeline } from '#contract/projects.ts';

/** A period of days, both ends included. */
export type Period = { startDate: CalendarDate; endDate: CalendarDate };

/** A part of the window, in percent of its width. */
export type Span = { left: number; width: number };

/** The shown period: whole months. */
export type Window = Period & { months: (Span & { label: string; year: number })[] };

/** A project in the API's timeline. */
export type TimelineProject = Timeline['projects'][number];

/** What the rows show. */
export type View = 'people' | 'projects';

/** A person's row: their projects in lanes without overlaps, and the days that are double-booked or free. */
export type PersonRow = {
  id: number;
  name: string;
  role: string;
  status: Timeline['people'][number]['status'];
  stays: { project: TimelineProject; lane: number }[];
  lanes: number;
  /** Days on which two projects 'In corso' expect the person. */
  overlaps: Period[];
  /** Free days between two stays, in the window or around it. */
  gaps: Period[];
  /** Days on which the person was away, according to their status. */
  away: Period[];
};

/** Number of days in a period, both ends included. */
export function lengthOf({ startDate, endDate }: Period): number {
  return daysBetween(startDate, endDate) + 1;
}

/** A window of `count` months beginning with the month of `start`. */
export function windowOf(start: CalendarDate, count: number): Window {
  const startDate = startOfMonth(start);
  const endDate = addDays(startOfMonth(start, count), -1);
  const whole = { startDate, endDate };
  const months = Array.from({ length: count }, (_, index) => {
    const first = startOfMonth(startDate, index);
    const month = { startDate: first, endDate: addDays(startOfMonth(first, 1), -1) };
    return {
      ...spanOf(month, whole),
      label: monthLetters(first.slice(0, 7)),
      year: Number(first.slice(0, 4)),
    };
  });
  return { ...whole, months };
}

/** The position in the window of a period that touches it, clipped to the window. */
export function spanOf(period: Period, window: Period): Span {
  const startDate = period.startDate < window.startDate ? window.startDate : period.startDate;
  const endDate = period.endDate > window.endDate ? window.endDate : period.endDate;
  const total = lengthOf(window);
  return {
    left: (daysBetween(window.startDate, startDate) / total) * 100,
    width: (lengthOf({ startDate, endDate }) / total) * 100,
  };
}

/**
 * The days on which more than one of the projects 'In corso' expects the person, without duplicates, in order of start.
 */
function overlapsOf(projects: readonly TimelineProject[]): Period[] {
  const overlaps: Period[] = [];
  let until: CalendarDate | undefined;
  for (const { startDate, endDate, status } of projects) {
    if (status !== 'In corso') continue;
    if (until && startDate <= until) {
      const last = overlaps.at(-1);
      const end = endDate < until ? endDate : until;
      if (!last || last.endDate < startDate) overlaps.push({ startDate, endDate: end });
      else if (last.endDate < end) last.endDate = end;
    }
    if (!until || endDate > until) until = endDate;
  }
  return overlaps;
}

/** The free days between the projects shown, and between them and those before and after the period. */
function gapsOf(
  projects: readonly TimelineProject[],
  { lastEnd, nextStart }: Pick<Timeline['people'][number], 'lastEnd' | 'nextStart'>,
): Period[] {
  const gaps: Period[] = [];
  let until = lastEnd;
  const next = nextStart ? [{ startDate: nextStart, endDate: nextStart }] : [];
  for (const { startDate, endDate } of [...projects, ...next]) {
    if (until && daysBetween(until, startDate) > 1) {
      gaps.push({ startDate: addDays(until, 1), endDate: addDays(startDate, -1) });
    }
    if (!until || endDate > until) until = endDate;
  }
  return gaps;
}

/** The rows of all people, in the order of the response. */
export function personRows({ projects, people }: Timeline): PersonRow[] {
  const byId = new Map(projects.map((project) => [project.id, project]));
  return people.map(({ id, name, role, status, projectIds, lastEnd, nextStart, away }) => {
    // The response has them in order of start.
    const own = projectIds.flatMap((projectId) => byId.get(projectId) ?? []);
    const ends: CalendarDate[] = [];
    const stays = own.map((project) => {
      const free = ends.findIndex((end) => end < project.startDate);
      const lane = free === -1 ? ends.length : free;
      ends[lane] = project.endDate;
      return { project, lane };
    });
    return {
      id,
      name,
      role,
      status,
      stays,
      lanes: Math.max(1, ends.length),
      overlaps: overlapsOf(own),
      gaps: gapsOf(own, { lastEnd, nextStart }),
      away,
    };
  });
}
