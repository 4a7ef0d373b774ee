import { monthWords } from '#client/lib/words.ts';
import type { AwayGroup, Dashboard, MonthSpend, ProjectBudget, Projections } from '#contract/dashboard.ts';
import { type CalendarDate, formatDate, withArticle } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { formatEuro, sumOfEuro, toCents, toEuro } from '#contract/money.ts';

/** One sentence about twelve months of spending. */
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

/**
 * One sentence comparing all open projects with their projections.
 * @param shown the most expensive projects with a projection or spending
 */
export function budgetFinding(
  {
    activeProjects,
    projections: { planned, over },
  }: Pick<Dashboard, 'activeProjects'> & { projections: Pick<Projections, 'planned' | 'over'> },
  shown: readonly ProjectBudget[],
): string {
  if (planned === 0) return 'Nessun progetto in corso ha una proiezione di spesa.';
  if (over === 0) {
    if (planned < activeProjects) {
      return planned === 1
        ? 'L’unico progetto con una proiezione di spesa la rispetta.'
        : `Tutti i progetti con una proiezione di spesa (${figure(planned)}) la rispettano.`;
    }
    return planned === 1
      ? 'Il progetto in corso è entro la proiezione di spesa.'
      : planned === 2
        ? 'Entrambi i progetti sono entro la proiezione di spesa.'
        : `Tutti e ${figure(planned)} i progetti sono entro la proiezione di spesa.`;
  }
  if (over > 1)
    return `${figure(over)} progetti su ${figure(planned)} hanno superato la proiezione di spesa.`;
  const only = shown.find(({ projected, spent }) => projected > 0 && spent > projected);
  if (!only && planned === 1) return 'L’unico progetto con una proiezione di spesa l’ha superata.';
  if (!only) return `Un progetto su ${figure(planned)} ha superato la proiezione di spesa.`;
  const excess = toEuro(toCents(only.spent) - toCents(only.projected));
  return `${only.projectName} ha superato di ${formatEuro(excess)} la proiezione di spesa.`;
}

/** When the work that people are away for ends, or starts if it is in the future; null without a project. */
export function stayWords(
  { from, until }: Pick<AwayGroup, 'from' | 'until'>,
  today: CalendarDate,
): string | null {
  if (from === null || until === null) return null;
  if (from > today) return withArticle('dal', formatDate(from));
  return until < today
    ? `fine prevista ${withArticle('il', formatDate(until))}`
    : `fino ${withArticle('al', formatDate(until))}`;
}

/** Which kinds of records are samples, and what replaces each of them; null when none is. */
export function sampleWords({ projects, employees, invoices }: Dashboard['samples']): string | null {
  const kinds = [
    projects && 'i progetti, fino al primo che crei',
    employees && 'le persone, fino alla prima che aggiungi al team',
    invoices && 'le fatture, fino alla prima a tuo nome',
  ].filter((kind) => kind !== false);
  return kinds.length === 0 ? null : `Portano il segno «Esempio» ${kinds.join('; ')}.`;
}
