import { counted } from '#client/lib/words.ts';
import { type CalendarDate, daysBetween } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';

/** 'nessuna preferenza' → 'Nessuna preferenza'. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The value of a number field as a whole number of at least `min`; null otherwise. */
export function wholeOf(figure: number | string, min: number): number | null {
  const count = figure === '' ? Number.NaN : Number(figure);
  return Number.isInteger(count) && count >= min ? count : null;
}

/** '1 notte', '18 notti'; 'in giornata' when both dates are the same. */
export function nights(start: CalendarDate, end: CalendarDate): string {
  const count = daysBetween(start, end);
  if (count === 0) return 'in giornata';
  return counted(count, 'notte', 'notti');
}

/** '2 singole, 5 doppie'; null when no rooms are given. */
export function rooms({
  singole,
  doppie,
  suite,
}: Record<'singole' | 'doppie' | 'suite', number>): string | null {
  const parts = [
    singole > 0 && counted(singole, 'singola', 'singole'),
    doppie > 0 && counted(doppie, 'doppia', 'doppie'),
    suite > 0 && `${figure(suite)} suite`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : null;
}
