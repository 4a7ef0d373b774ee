import { figure } from './figures.ts';
import { lazily } from './lazily.ts';
import { z } from './validation.ts';

/** Whole cents: the only form in which the product adds or compares money. */
export type Cents = number;

/** Euro to cents. `euro` has at most two decimals (see `hasWholeCents`). */
export function toCents(euro: number): Cents {
  return Math.round(euro * 100);
}

/** Cents to euro, the shape of every amount in the API. */
export function toEuro(cents: Cents): number {
  return cents / 100;
}

/** The exact sum of amounts in euro. */
export function sumOfEuro(records: readonly { amount: number }[]): number {
  return toEuro(records.reduce<Cents>((sum, { amount }) => sum + toCents(amount), 0));
}

/** The text for an amount without `hasWholeCents`. */
export const TOO_MANY_DECIMALS = 'Al massimo due decimali';

/** Whether `euro` has no fraction of a cent. */
export function hasWholeCents(euro: number): boolean {
  return Number(euro.toFixed(2)) === euro;
}

const euroFormat = lazily(
  () =>
    new Intl.NumberFormat('it-IT', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      useGrouping: 'always',
    }),
);

/** '€ 12.480,50': sign first, as on Italian invoices. `euro` is an amount of the API. */
export function formatEuro(euro: number): string {
  return `€\u00a0${euroFormat().format(euro)}`;
}

/**
 * Parses an amount as typed in Italian: '1.234,56', '1234,5', '1234.56', '€ 1.234', 'EUR 1.234,56'. A dot followed by exactly
 * three digits separates thousands, except after a zero: '0.500' is half a euro. Null when the text is not an amount.
 */
export function parseEuro(text: string): number | null {
  const compact = text.replace(/[€\s]/g, '').replace(/^euro?|euro?$/gi, '');
  if (/^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(compact)) {
    return Number(compact.replaceAll('.', '').replace(',', '.'));
  }
  if (/^-?\d+([.,]\d+)?$/.test(compact)) return Number(compact.replace(',', '.'));
  return null;
}

/** The largest sum a project may have as projection, or as spending before its first invoice. */
const MAX_BUDGET_EURO = 1_000_000_000;

/** A projected or opening sum in a request: 0 to `MAX_BUDGET_EURO` euro, no fraction of a cent. */
export const budgetSchema = z
  .number('Importo non valido. Scrivilo così: 1.234,56')
  .min(0, 'L’importo non può essere negativo')
  .max(MAX_BUDGET_EURO, `Al massimo €\u00a0${figure(MAX_BUDGET_EURO)}`)
  .refine(hasWholeCents, TOO_MANY_DECIMALS);

/** An amount in a response: euro with two decimals. */
export const euroSchema = z.number();
