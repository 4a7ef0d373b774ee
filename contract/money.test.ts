import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetSchema, formatEuro, hasWholeCents, parseEuro, toCents, toEuro } from './money.ts';

const cents = fc.integer({ min: 0, max: 100_000_000_000 });

describe('money', () => {
  test('converts from cents to euro and back exactly', () => {
    fc.assert(
      fc.property(cents, (amount) => toCents(toEuro(amount)) === amount && hasWholeCents(toEuro(amount))),
    );
  });

  test('can be typed back as shown, to the cent', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parseEuro(formatEuro(toEuro(amount)))).toBe(toEuro(amount));
      }),
    );
  });

  test.each([
    [12480.5, '€\u00a012.480,50'],
    [1234, '€\u00a01.234,00'],
    [0, '€\u00a00,00'],
    [1_000_000, '€\u00a01.000.000,00'],
  ])('of %d is shown as %s', (euro, shown) => {
    expect(formatEuro(euro)).toBe(shown);
  });

  test.each([
    ['1.234,56', 1234.56],
    ['1234,5', 1234.5],
    ['1234.56', 1234.56],
    ['€ 1.234', 1234],
    ['EUR 1.234,56', 1234.56],
    ['1.234,56 euro', 1234.56],
    ['euro', null],
    ['1.23', 1.23],
    ['12.345.678,90', 12_345_678.9],
    ['1.2345', 1.2345],
    ['0.500', 0.5],
    ['0.001', 0.001],
    ['0,001', 0.001],
    ['1,234.56', null],
    ['mille', null],
    ['', null],
    ['1e5', null],
  ])('typed as %o is %o', (typed, euro) => {
    expect(parseEuro(typed)).toBe(euro);
  });

  test.each([
    [-1, 'L’importo non può essere negativo'],
    [0.001, 'Al massimo due decimali'],
    [1_000_000_001, 'Al massimo €\u00a01.000.000.000'],
    [Number.NaN, 'Importo non valido. Scrivilo così: 1.234,56'],
    ['12', 'Importo non valido. Scrivilo così: 1.234,56'],
  ])('as a budget of %o is refused: %s', (input, message) => {
    expect(budgetSchema.safeParse(input).error?.issues[0]?.message).toBe(message);
  });
});
