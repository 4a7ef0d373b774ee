import { toCents, toEuro } from '#contract/money.ts';

/** Converts euro of the API to the exact text of a numeric column: 12480.5 → '12480.50'. */
export function toNumeric(euro: number): string {
  return (toCents(euro) / 100).toFixed(2);
}

/** Converts the text of a numeric column to euro of the API; null (an empty sum) is 0. */
export function fromNumeric(text: string | null): number {
  return text === null ? 0 : toEuro(toCents(Number(text)));
}
