import { monthWords } from '#client/lib/words.ts';
import type { InvoiceSummary } from '#contract/invoices.ts';
import { formatEuro, toCents, toEuro } from '#contract/money.ts';

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
