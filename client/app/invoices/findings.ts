import { monthWords } from '#client/lib/words.ts';
import type { InvoiceSummary } from '#contract/invoices.ts';
import { formatEuro, toCents, toEuro } from '#contract/money.ts';

type MonthSums = InvoiceSummary['months'][number];

/** What was invoiced in a month, paid or not, in euro. */
export function sumOfMonth({ paid, unpaid }: Pick<MonthSums, 'paid' | 'unpaid'>): number {
  return toEuro(toCents(paid) + toCents(unpaid));
}

/** Which of the months is the dearest, in a sentence. */
export function monthFinding(months: readonly MonthSums[]): string {
  const sums = months.map((month) => ({ month: month.month, sum: sumOfMonth(month) }));
  const dearest = sums.reduce((best, next) => (next.sum > best.sum ? next : best), { month: '', sum: 0 });
  return dearest.sum === 0
    ? 'Negli ultimi dodici mesi non risultano spese'
    : `Il mese più caro è stato ${monthWords(dearest.month)}: ${formatEuro(dearest.sum)}`;
}
