import type { CalendarDate } from './dates.ts';

/** The name of the ZIP with all data about an account, downloaded on `today`. */
export function dataDownloadName(today: CalendarDate): string {
  return `i-miei-dati-${today}.zip`;
}
