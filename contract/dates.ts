import { lazily } from './lazily.ts';
import { z } from './validation.ts';

/** The time zone of every "today", month and report of the product. */
const TIME_ZONE = 'Europe/Rome';

declare const calendarDate: unique symbol;
/** A date without time, written yyyy-mm-dd. */
export type CalendarDate = string & { readonly [calendarDate]: true };

const MS_PER_DAY = 86_400_000;
/** The first and the last year of a date. */
export const DATE_YEARS = { first: 1900, last: 2199 } as const;
const DATE_MESSAGES = {
  unreadable: 'Data non valida. Usa il formato gg/mm/aaaa.',
  outOfRange: `L’anno deve essere tra il ${DATE_YEARS.first} e il ${DATE_YEARS.last}.`,
};

/** Whether `text` is yyyy-mm-dd and an existing day (2026-02-31 is not), in the years of `DATE_YEARS`. */
export function isCalendarDate(text: string): text is CalendarDate {
  const year = Number(text.slice(0, 4));
  return isDay(text) && year >= DATE_YEARS.first && year <= DATE_YEARS.last;
}

/** Whether `text` is yyyy-mm-dd and an existing day, of any year. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = Number(text.slice(8));
  return day >= 1 && day <= daysOf(Number(text.slice(5, 7)), Number(text.slice(0, 4)));
}

/**
 * Why `text`, typed or yyyy-mm-dd, is no date: it cannot be read or is no day of the calendar, or its year is out of range.
 * @param messages for either reason, if not in Italian
 */
export function dateProblem(text: unknown, messages = DATE_MESSAGES): string {
  const written = String(text);
  const date = isDay(written) ? written : typedDate(written);
  return isDay(date) && !isCalendarDate(date) ? messages.outOfRange : messages.unreadable;
}

/** Days in a month from 1 to 12; none for any other. */
function daysOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** A required calendar date; `missing` is the message when it is absent. */
export function requiredDate(missing: string) {
  return z
    .custom<CalendarDate>((value) => typeof value === 'string' && isCalendarDate(value), {
      error: ({ input }) => (input === undefined || input === null ? missing : dateProblem(input)),
    })
    .meta({ type: 'string', format: 'date' });
}

/** A calendar date in an API request or response. */
export const calendarDateSchema = requiredDate('Campo obbligatorio');

/**
 * For `.check` of an object with two dates: the end is not before the start. Reported together with the errors of other
 * fields, as soon as both dates are present.
 * @param error the message, reported at the end date
 */
export function datesInOrder<Start extends string, End extends string>(
  start: Start,
  end: End,
  error: string,
) {
  const dates = z.object({ [start]: calendarDateSchema, [end]: calendarDateSchema });
  return z.refine<{ [Name in Start | End]?: unknown }>(
    (value) => String(value[end]) >= String(value[start]),
    { path: [end], error, when: ({ value }) => dates.safeParse(value).success },
  );
}

/** An instant in an API response: ISO 8601, UTC. */
export const instantSchema = z.iso.datetime();

/**
 * The calendar date in Europe/Rome at the instant `now`. From an Italian date, which all browsers write in the same order:
 * Canadian ones, yyyy-mm-dd in most, are 11/27/2026 in Safari with the language data of some years.
 */
export function todayInRome(now: Date = new Date()): CalendarDate {
  const [day, month, year] = formatDateTime(now).split(/\D+/);
  return `${year}-${month}-${day}` as CalendarDate;
}

/** The date `days` after `date`, or before it when negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY)
    .toISOString()
    .slice(0, 10) as CalendarDate;
}

/** The same day `years` later, or earlier when negative; 29 February becomes 28 February in other years. */
export function addYears(date: CalendarDate, years: number): CalendarDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const moved = `${year}${date.slice(4)}`;
  return (isCalendarDate(moved) ? moved : `${year}-02-28`) as CalendarDate;
}

/** The first day of the month `months` after that of `date`, or before it when negative. */
export function startOfMonth(date: CalendarDate, months = 0): CalendarDate {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const month = String((index % 12) + 1).padStart(2, '0');
  return `${Math.floor(index / 12)}-${month}-01` as CalendarDate;
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / MS_PER_DAY);
}

/** dd/mm/yyyy, as every screen and mail shows a date (spec §1). */
export function formatDate(date: CalendarDate): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}

/** '12/01/2026 – 30/01/2026', or one date when both are the same. If it wraps, the dash stays on the first line. */
export function period(start: CalendarDate, end: CalendarDate): string {
  return start === end ? formatDate(start) : `${formatDate(start)}\u00a0– ${formatDate(end)}`;
}

const romeDateTime = lazily(
  () =>
    new Intl.DateTimeFormat('it-IT', {
      timeZone: TIME_ZONE,
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

const ELIDED = { il: 'l’', al: 'all’', dal: 'dall’', del: 'dell’' } as const;

/**
 * A date with its article: 'il 06/10/2026', but 'l’08/10/2026' and 'l’11/10/2026', as the numbers are spoken.
 * @param date from `formatDate` or `formatDateTime`
 */
export function withArticle(article: keyof typeof ELIDED, date: string): string {
  return /^(08|11)/.test(date) ? `${ELIDED[article]}${date}` : `${article} ${date}`;
}

/** dd/mm/yyyy, hh:mm in Europe/Rome. */
export function formatDateTime(instant: Date | string): string {
  return romeDateTime().format(typeof instant === 'string' ? new Date(instant) : instant);
}

/** A day and a month, each followed by a separator, or neither. */
const TYPED_DATE = /^\s*(?:(\d{1,2})[/.-](\d{1,2})[/.-]|(\d{2})(\d{2}))(\d{4}|\d{2})\s*$/;

/**
 * Parses a date typed as dd/mm/yyyy; null when it is not one. Accepts one-digit days and months, `-` and `.`, two-digit
 * years (of this century), and ddmmyyyy, because numeric phone keypads may have no separator.
 */
export function parseItalianDate(text: string): CalendarDate | null {
  const date = typedDate(text);
  return isCalendarDate(date) ? date : null;
}

/** A typed date as yyyy-mm-dd, of whatever year, and even if the calendar has no such day; '' for any other text. */
function typedDate(text: string): string {
  const match = TYPED_DATE.exec(text);
  if (!match) return '';
  const [, day = match[3] ?? '', month = match[4] ?? '', , , year = ''] = match;
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
