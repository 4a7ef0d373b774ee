import { type CalendarDate, daysBetween, formatDate } from '#contract/dates.ts';

/** '1 persona', '5 persone'. */
export function people(count: number): string {
  return count === 1 ? '1 persona' : `${count} persone`;
}

/** '1 giorno', '5 giorni'. */
export function days(count: number): string {
  return count === 1 ? '1 giorno' : `${count} giorni`;
}

/** 'dd/mm/yyyy – dd/mm/yyyy', or one date when both are the same. */
export function period(startDate: CalendarDate, endDate: CalendarDate): string {
  return startDate === endDate ? formatDate(startDate) : `${formatDate(startDate)} – ${formatDate(endDate)}`;
}

/** How long until a period starts or ends, seen from `today`. */
export function remaining(startDate: CalendarDate, endDate: CalendarDate, today: CalendarDate): string {
  const toStart = daysBetween(today, startDate);
  const toEnd = daysBetween(today, endDate);
  if (toStart > 0) return toStart === 1 ? 'inizia domani' : `inizia fra ${days(toStart)}`;
  if (toEnd > 0) return toEnd === 1 ? 'termina domani' : `ancora ${days(toEnd)}`;
  if (toEnd === 0) return 'termina oggi';
  return toEnd === -1 ? 'terminato ieri' : `terminato da ${days(-toEnd)}`;
}
