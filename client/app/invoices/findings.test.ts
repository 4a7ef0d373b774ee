import { describe, expect, test } from 'vitest';
import { monthFinding } from './findings.ts';

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
