import { counted } from '#client/lib/words.ts';
import { type CalendarDate, formatDate } from '#contract/dates.ts';

/** '1 fattura', '1.200 fatture'. */
export function invoiceCount(count: number): string {
  return counted(count, 'fattura', 'fatture');
}

/** A date that may be missing. */
export function formatOptionalDate(date: CalendarDate | null): string {
  return date === null ? '—' : formatDate(date);
}
