import { monthWords } from '#client/lib/words.ts';
import type { InvoiceSummary } from '#contract/invoices.ts';
import { formatEuro, toCents, toEuro } from '#contract/money.ts';

/** A project with invoices, by a name that no other one has. */
export type NamedProject = { key: string; name: string; amount: number };

type MonthSums = InvoiceSummary['months'][number];

/** The amount invoiced in a month, paid or not, in euro. */
export function sumOfMonth({ paid, unpaid }: Pick<MonthSums, 'paid' | 'unpaid'>): number {
  return toEuro(toCents(paid) + toCents(unpaid));
}

/** One sentence about the most expensive month. */
export function monthFinding(months: readonly MonthSums[]): string {
  const sums = months.map((month) => ({ month: month.month, sum: sumOfMonth(month) }));
  const dearest = sums.reduce((best, next) => (next.sum > best.sum ? next : best), { month: '', sum: 0 });
  return dearest.sum === 0
    ? 'Negli ultimi dodici mesi non risultano spese'
    : `Il mese più caro è stato ${monthWords(dearest.month)}: ${formatEuro(dearest.sum)}`;
}

/**
 * One sentence about the project with the largest share. A share is whole percents, but none of several is all or nothing.
 * @param projects most expensive first
 * @param total the sum of their amounts, in euro
 */
export function projectFinding([first, ...others]: readonly NamedProject[], total: number): string {
  if (!first) return 'Nessun progetto con fatture';
  if (others.length === 0) return `Tutta la spesa è di «${first.name}»`;
  const percent = Math.round((first.amount / total) * 100);
  const share = percent === 0 ? 'meno dell’1%' : percent === 100 ? 'oltre il 99%' : `${percent}%`;
  return `«${first.name}»: ${share} della spesa`;
}
