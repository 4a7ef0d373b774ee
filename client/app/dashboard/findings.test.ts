import { describe, expect, test } from 'vitest';
import type { ProjectBudget } from '#contract/dashboard.ts';
import type { CalendarDate } from '#contract/dates.ts';
import { budgetFinding, sampleWords, spendFinding, stayWords } from './findings.ts';

const euro = (text: string) => text.replaceAll('\u00a0', ' ');
const budget = (projectName: string, projected: number, spent: number) => ({
  projectId: 1,
  projectName,
  projected,
  spent,
});

describe('the finding on monthly spending', () => {
  test('says that nothing was spent', () => {
    expect(spendFinding([{ month: '2026-01', amount: 0 }])).toBe(
      'Negli ultimi dodici mesi non risultano spese.',
    );
  });

  test('names the total and the most expensive month', () => {
    const months = [
      { month: '2026-01', amount: 100.1 },
      { month: '2026-02', amount: 2000.2 },
      { month: '2026-03', amount: 0 },
    ];
    expect(euro(spendFinding(months))).toBe(
      'Hai speso € 2.100,30 in dodici mesi; il mese più caro è febbraio 2026 con € 2.000,20.',
    );
  });
});

describe('the finding on projections', () => {
  const all = (...budgets: ProjectBudget[]) => {
    const planned = budgets.filter(({ projected }) => projected > 0);
    const over = planned.filter(({ projected, spent }) => spent > projected);
    return { activeProjects: budgets.length, projections: { planned: planned.length, over: over.length } };
  };
  const finding = (...budgets: ProjectBudget[]) => budgetFinding(all(...budgets), budgets);

  test('says that no project has one', () => {
    expect(finding(budget('A', 0, 10))).toBe('Nessun progetto in corso ha una proiezione di spesa.');
  });

  test('says that all projects are within theirs, one or many', () => {
    expect(finding(budget('A', 10, 10))).toBe('Il progetto in corso è entro la proiezione di spesa.');
    expect(finding(budget('A', 10, 1), budget('B', 10, 2))).toBe(
      'Entrambi i progetti sono entro la proiezione di spesa.',
    );
    expect(finding(budget('A', 10, 1), budget('B', 10, 2), budget('C', 10, 3))).toBe(
      'Tutti e 3 i progetti sono entro la proiezione di spesa.',
    );
  });

  test('counts only projects that have one', () => {
    expect(finding(budget('A', 10, 1), budget('B', 0, 2))).toBe(
      'L’unico progetto con una proiezione di spesa la rispetta.',
    );
    expect(finding(budget('A', 10, 1), budget('B', 10, 2), budget('C', 0, 3))).toBe(
      'Tutti i progetti con una proiezione di spesa (2) la rispettano.',
    );
  });

  test('names a single project over its projection, and by how much', () => {
    const excess = 'Viadotto ha superato di € 10,20 la proiezione di spesa.';
    expect(euro(finding(budget('Viadotto', 10.1, 20.3)))).toBe(excess);
    expect(euro(finding(budget('B', 90, 90), budget('Viadotto', 10.1, 20.3)))).toBe(excess);
  });

  test('counts several projects over theirs', () => {
    const budgets = [budget('A', 10, 20), budget('B', 10, 20), budget('C', 10, 5), budget('D', 0, 5)];
    expect(finding(...budgets)).toBe('2 progetti su 3 hanno superato la proiezione di spesa.');
  });

  test('counts projects beyond the most expensive ones too', () => {
    expect(
      budgetFinding({ activeProjects: 9, projections: { planned: 8, over: 1 } }, [budget('A', 10, 5)]),
    ).toBe('Un progetto su 8 ha superato la proiezione di spesa.');
    expect(
      budgetFinding({ activeProjects: 7, projections: { planned: 1, over: 1 } }, [budget('A', 0, 50)]),
    ).toBe('L’unico progetto con una proiezione di spesa l’ha superata.');
    expect(
      budgetFinding({ activeProjects: 9, projections: { planned: 9, over: 3 } }, [budget('A', 10, 20)]),
    ).toBe('3 progetti su 9 hanno superato la proiezione di spesa.');
  });
});

describe('the words for a stay', () => {
  const day = (text: string) => text as CalendarDate;
  const words = (from: string, until: string) =>
    stayWords({ from: day(from), until: day(until) }, day('2026-11-24'));

  test('name the last day, which may be today', () => {
    expect(words('2026-11-01', '2026-11-24')).toBe('fino al 24/11/2026');
    expect(words('2026-11-24', '2026-11-25')).toBe('fino al 25/11/2026');
  });

  test('name the planned end once it has passed', () => {
    expect(words('2026-11-01', '2026-11-23')).toBe('fine prevista il 23/11/2026');
  });

  test('name the first day of a future stay', () => {
    expect(words('2026-11-25', '2026-12-01')).toBe('dal 25/11/2026');
  });

  test('are absent without a project', () => {
    expect(stayWords({ from: null, until: null }, day('2026-11-24'))).toBeNull();
  });
});

describe('the words on sample records', () => {
  test('say that each kind disappears with the first record of that kind', () => {
    expect(sampleWords({ projects: true, employees: true, invoices: true })).toBe(
      'Portano il segno «Esempio» i progetti, fino al primo che crei; le persone, fino alla prima che aggiungi al team; le fatture, fino alla prima a tuo nome.',
    );
    expect(sampleWords({ projects: false, employees: false, invoices: true })).toBe(
      'Portano il segno «Esempio» le fatture, fino alla prima a tuo nome.',
    );
  });

  test('are absent once there are records of every kind', () => {
    expect(sampleWords({ projects: false, employees: false, invoices: false })).toBeNull();
  });
});
