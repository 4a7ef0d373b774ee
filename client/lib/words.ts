import { type CalendarDate, daysBetween, formatDate, isCalendarDate } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { lazily } from '#contract/lazily.ts';
import { formatEuro } from '#contract/money.ts';

/** A count with its noun: '1 fattura', '1.200 fatture'. */
export function counted(count: number, one: string, many: string): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Between two facts on a line. It stays with both, so that a line that wraps neither ends nor begins with it. */
export const DOT = '\u00a0·\u00a0';

/** '1 persona', '12 persone'. */
export function people(count: number): string {
  return counted(count, 'persona', 'persone');
}

/** The projected total of a project, which is optional: 0 is none. */
export function projection(euro: number): string {
  return euro > 0 ? formatEuro(euro) : 'Senza proiezione';
}

/** A date field's value as it shows it: dd/mm/yyyy, or the text as typed while it is no date. */
export function dateWords(value: string): string {
  return isCalendarDate(value) ? formatDate(value) : value;
}

/** A euro field's value: '€ 12.480,50', or the text as typed while it is no amount. */
export function euroWords(value: number | string): string {
  return typeof value === 'number' ? formatEuro(value) : value;
}

/** What a list leaves out, with feminine nouns: 'e un’altra riga', 'e altre 1.200 righe'. */
export function andOthers(count: number, one: string, many: string): string {
  return count === 1 ? `e un’altra ${one}` : `e altre ${figure(count)} ${many}`;
}

/** 'oggi', 'domani', 'ieri', 'tra 5 giorni', '1.039 giorni fa'. */
export function daysFrom(today: CalendarDate, date: CalendarDate): string {
  const days = daysBetween(today, date);
  if (days === 0) return 'oggi';
  if (days === 1) return 'domani';
  if (days === -1) return 'ieri';
  return days > 0 ? `tra ${figure(days)} giorni` : `${figure(-days)} giorni fa`;
}

const monthName = lazily(() => new Intl.DateTimeFormat('it-IT', { month: 'long', timeZone: 'UTC' }));
const monthShort = lazily(() => new Intl.DateTimeFormat('it-IT', { month: 'short', timeZone: 'UTC' }));

/** 'ottobre 2026' for '2026-10'. */
export function monthWords(month: string): string {
  return `${monthName().format(new Date(`${month}-01T00:00:00Z`))} ${month.slice(0, 4)}`;
}

/** 'ott' for '2026-10'. */
export function monthLetters(month: string): string {
  return monthShort().format(new Date(`${month}-01T00:00:00Z`));
}
