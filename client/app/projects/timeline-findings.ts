import { people } from '#client/lib/words.ts';
import { todayInRome } from '#contract/dates.ts';
import { datesOverlap } from '#contract/employees.ts';
import type { PersonRow, Window } from './timeline.ts';

/**
 * How many people are away today; empty when today is outside the window. Based on the status, because for somebody who
 * returned today the days away include today.
 */
export function awayToday(rows: readonly PersonRow[], window: Window): string {
  const today = todayInRome();
  if (!datesOverlap({ startDate: today, endDate: today }, window)) return '';
  const away = rows.filter(({ status }) => status === 'in trasferta').length;
  return away === 0
    ? 'Oggi nessuno è in trasferta.'
    : `Oggi ${away === 1 ? 'è' : 'sono'} in trasferta ${people(away)}.`;
}

/** One sentence about people expected on two projects at once. */
export function overlapFinding(rows: readonly PersonRow[], window: Window): string {
  const double = rows.filter(({ overlaps }) => overlaps.some((entry) => datesOverlap(entry, window)));
  if (double.length === 0) return 'Nessuno è atteso in due posti negli stessi giorni.';
  const [first] = double;
  if (double.length === 1 && first) return `${first.name} è su più progetti negli stessi giorni.`;
  return `${people(double.length)} sono su più progetti negli stessi giorni.`;
}
