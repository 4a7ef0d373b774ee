import { monthWords } from '#client/lib/words.ts';
import type { MonthSpend, ProjectBudget } from '#contract/dashboard.ts';
import { formatEuro, sumOfEuro, toCents, toEuro } from '#contract/money.ts';

/** What twelve months of spending say, in a sentence. */
export function spendFinding(months: readonly MonthSpend[]): string {
  const total = sumOfEuro(months);
  if (total === 0) return 'Negli ultimi dodici mesi non risultano spese.';
  const [first, ...rest] = months;
  const peak = rest.reduce(
    (highest, month) => (month.amount > (highest?.amount ?? 0) ? month : highest),
    first,
  );
  const spent = `Hai speso ${formatEuro(total)} in dodici mesi`;
  return peak
    ? `${spent}; il mese più caro è ${monthWords(peak.month)} con ${formatEuro(peak.amount)}.`
    : `${spent}.`;
}

/** How open projects stand against their projection, in a sentence. */
export function budgetFinding(budgets: readonly ProjectBudget[]): string {
  const planned = budgets.filter(({ projected }) => projected > 0);
  const over = planned.filter(({ projected, spent }) => spent > projected);
  const [first] = over;
  if (planned.length === 0) return 'Nessun progetto in corso ha una proiezione di spesa.';
  if (first === undefined) {
    return planned.length === 1
      ? 'Il progetto in corso è entro la proiezione di spesa.'
      : planned.length === 2
        ? 'Entrambi i progetti sono entro la proiezione di spesa.'
        : `Tutti e ${planned.length} i progetti sono entro la proiezione di spesa.`;
  }
  if (over.length === 1) {
    const excess = toEuro(toCents(first.spent) - toCents(first.projected));
    return `${first.projectName} ha superato la proiezione di ${formatEuro(excess)}.`;
  }
  return `${over.length} progetti su ${planned.length} hanno superato la proiezione di spesa.`;
}
