import { describe, expect, test } from 'vitest';
import { monthFinding, projectFinding } from './findings.ts';

describe('the finding on monthly spending', () => {
  test('names the most expensive month with its exact sum', () => {
    const months = [
      { month: '2026-09', paid: 0.1, unpaid: 0.2 },
      { month: '2026-10', paid: 0.3, unpaid: 0 },
    ];
    // 0.1 + 0.2 exceeds 0.3 only in floating point: of two equal months the first is named.
    expect(monthFinding(months)).toBe('Il mese più caro è stato settembre 2026: €\u00a00,30');
    expect(monthFinding([...months].reverse())).toBe('Il mese più caro è stato ottobre 2026: €\u00a00,30');
  });

  test('says that nothing was spent', () => {
    const months = [{ month: '2026-09', paid: 0, unpaid: 0 }];
    expect(monthFinding(months)).toBe('Negli ultimi dodici mesi non risultano spese');
  });
});

describe('the finding on spending by project', () => {
  const named = (name: string, amount: number) => ({ key: name, name, amount });
  const findingOf = (...amounts: number[]) =>
    projectFinding(
      amounts.map((amount, index) => named(`Diga ${index + 1}`, amount)),
      amounts.reduce((sum, amount) => sum + amount, 0),
    );

  test('names the largest share', () => {
    expect(findingOf()).toBe('Nessun progetto con fatture');
    expect(findingOf(80)).toBe('Tutta la spesa è di «Diga 1»');
    expect(findingOf(75, 25)).toBe('«Diga 1»: 75% della spesa');
  });

  test('does not round the share of one of several to all or nothing', () => {
    expect(findingOf(480_000, 1_000)).toBe('«Diga 1»: oltre il 99% della spesa');
    expect(findingOf(...Array.from({ length: 300 }, () => 10))).toBe('«Diga 1»: meno dell’1% della spesa');
  });
});
