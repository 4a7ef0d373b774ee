import { describe, expect, test } from 'vitest';
import { budgetFinding, spendFinding } from './findings.ts';

const euro = (text: string) => text.replaceAll('\u00a0', ' ');
const budget = (projectName: string, projected: number, spent: number) => ({
  projectId: 1,
  projectName,
  projected,
  spent,
});

describe('what spending per month says', () => {
  test('nothing was spent', () => {
    expect(spendFinding([{ month: '2026-01', amount: 0 }])).toBe(
      'Negli ultimi dodici mesi non risultano spese.',
    );
  });

  test('the total and the dearest month', () => {
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

describe('what projections say', () => {
  test('no project has one', () => {
    expect(budgetFinding([budget('A', 0, 10)])).toBe('Nessun progetto in corso ha una proiezione di spesa.');
  });

  test('all keep to it, one or many', () => {
    expect(budgetFinding([budget('A', 10, 10)])).toBe('Il progetto in corso è entro la proiezione di spesa.');
    expect(budgetFinding([budget('A', 10, 1), budget('B', 10, 2)])).toBe(
      'Entrambi i progetti sono entro la proiezione di spesa.',
    );
  });

  test('one is over it, by how much', () => {
    expect(euro(budgetFinding([budget('Viadotto', 10.1, 20.3), budget('B', 10, 2)]))).toBe(
      'Viadotto ha superato la proiezione di € 10,20.',
    );
  });

  test('several are over it', () => {
    const budgets = [budget('A', 10, 20), budget('B', 10, 20), budget('C', 10, 5), budget('D', 0, 5)];
    expect(budgetFinding(budgets)).toBe('2 progetti su 3 hanno superato la proiezione di spesa.');
  });
});
