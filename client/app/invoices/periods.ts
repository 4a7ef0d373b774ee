import { addDays, addYears, type CalendarDate, isCalendarDate } from '#contract/dates.ts';

/** First and last day; undefined without a bound. */
export type Period = { from: CalendarDate | undefined; to: CalendarDate | undefined };

/** The text if it is a date, otherwise undefined. */
export function dayOf(text: string | null): CalendarDate | undefined {
  return text !== null && isCalendarDate(text) ? text : undefined;
}

/**
 * Common periods relative to `today`. All of them have an end, because the invoice administrator's invoices can be
 * dated in the future.
 */
export function periods(today: CalendarDate): Record<string, Period> {
  const year = today.slice(0, 4);
  const last = addYears(today, -1).slice(0, 4);
  return {
    'Ultimi 30 giorni': { from: addDays(today, -29), to: today },
    'Ultimi 3 mesi': { from: addDays(today, -91), to: today },
    'Quest’anno': { from: dayOf(`${year}-01-01`), to: dayOf(`${year}-12-31`) },
    'Anno scorso': { from: dayOf(`${last}-01-01`), to: dayOf(`${last}-12-31`) },
  };
}
