import { counted, daysFrom } from '#client/lib/words.ts';
import { type CalendarDate, daysBetween } from '#contract/dates.ts';
import type { Project, TeamMember } from '#contract/projects.ts';

/** '1 giorno', '5 giorni'. */
export function days(count: number): string {
  return counted(count, 'giorno', 'giorni');
}

/** How many of a team are 'in trasferta'. */
export function countAway(team: readonly TeamMember[]): number {
  return team.filter(({ status }) => status === 'in trasferta').length;
}

/** What is said of a completed project: its name, and how many of its team are still 'in trasferta'. */
export function completed({ name, team }: Pick<Project, 'name' | 'team'>): string {
  const away = countAway(team);
  if (away === 0) return name;
  return `${name}. ${counted(away, 'persona risulta', 'persone risultano')} ancora in trasferta.`;
}

/** The time until a period starts or ends, as seen from `today`. */
export function remaining(startDate: CalendarDate, endDate: CalendarDate, today: CalendarDate): string {
  const toStart = daysBetween(today, startDate);
  const toEnd = daysBetween(today, endDate);
  if (toStart > 0) return toStart === 1 ? 'inizia domani' : `inizia tra ${days(toStart)}`;
  if (toEnd > 0) return toEnd === 1 ? 'termina domani' : `ancora ${days(toEnd)}`;
  // Somebody has to say that a project is completed: until then its end is only the planned one.
  return toEnd === 0 ? 'termina oggi' : `fine prevista ${daysFrom(today, endDate)}`;
}
