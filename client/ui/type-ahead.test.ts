import { expect, test } from 'vitest';
import { optionTyped } from './type-ahead.ts';

const PERIODS = ['Sempre', 'Ultimi 30 giorni', 'Ultimi 3 mesi', 'Èra fa', 'Anno scorso', 'Altre date'];

test.each([
  ['u', -1, 'Ultimi 30 giorni'],
  ['u', 1, 'Ultimi 3 mesi'],
  ['uu', 2, 'Ultimi 30 giorni'],
  ['al', 4, 'Altre date'],
  ['an', 4, 'Anno scorso'],
  ['A', 4, 'Altre date'],
  ['A', 5, 'Anno scorso'],
  ['e', 0, 'Èra fa'],
  ['s', 0, 'Sempre'],
  ['x', 0, undefined],
])('"%s" typed at option %i of a list leads to %s', (typed, current, label) => {
  expect(PERIODS[optionTyped(PERIODS, typed, current)]).toBe(label);
});

test('what is typed in an empty list leads nowhere', () => {
  expect(optionTyped([], 'a', -1)).toBe(-1);
});
