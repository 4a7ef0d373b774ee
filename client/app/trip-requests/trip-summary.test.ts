import { expect, test } from 'vitest';
import { emptyValues } from './draft.ts';
import { linesOf } from './trip-summary.tsx';

/** The lines with content when every number field contains `typed`. */
function said(typed: number | string): [string, string][] {
  const values = emptyValues('ada@example.com');
  const camere = { singole: typed, doppie: typed, suite: typed };
  const lines = linesOf({ ...values, numeroDipendenti: typed, budget: typed, camere });
  return lines.filter((line): line is [string, string] => line[1] !== null);
}

test.each(['', '-', -1, 1.5, '85.50'])('%j in a number field is left out of the summary', (typed) => {
  expect(said(typed)).toEqual([['Alloggio', 'Entrambi']]);
});

test('numbers are in the summary, even while they are text', () => {
  const twelve = [
    ['Chi', '12 persone'],
    ['Alloggio', 'Entrambi'],
    ['Camere', '12 singole, 12 doppie, 12 suite'],
    ['Budget', '€\u00a012 a notte per persona'],
  ];
  expect(said(12)).toEqual(twelve);
  expect(said('12')).toEqual(twelve);
});

test('large numbers have thousands separators', () => {
  expect(said(5000)[2]).toEqual(['Camere', '5.000 singole, 5.000 doppie, 5.000 suite']);
});

test('place, project and dates are in the summary once they are entered', () => {
  const lines = (dataInizio: string, dataFine: string) => {
    const entered = { citta: ' Taranto ', progetto: ' ', dataInizio, dataFine };
    return linesOf({ ...emptyValues('ada@example.com'), ...entered } as Parameters<typeof linesOf>[0]).slice(
      0,
      4,
    );
  };
  const undated = [
    ['Dove', 'Taranto'],
    ['Quando', null],
    ['Durata', null],
    ['Progetto', null],
  ];
  for (const [start, end] of [
    ['2027-01-10', ''],
    ['', '2027-01-10'],
    ['2027-01-10', 'domani'],
    ['2027-01-10', '2027-01-09'],
  ] as const)
    expect(lines(start, end)).toEqual(undated);
  expect(lines('2027-01-10', '2027-01-10')[1]).toEqual(['Quando', '10/01/2027']);
  expect(lines('2027-01-10', '2027-01-12').slice(1, 3)).toEqual([
    ['Quando', '10/01/2027\u00a0– 12/01/2027'],
    ['Durata', '2 notti'],
  ]);
});
