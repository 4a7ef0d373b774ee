import { expect, test } from 'vitest';
import { sharedNames } from './namesakes.ts';

test('names that several rows share are listed once each', () => {
  expect(sharedNames(['Anna', 'Mario', 'Anna', 'Luca', 'Mario', 'Anna'])).toEqual(['Anna', 'Mario']);
  expect(sharedNames(['Anna', 'Mario'])).toEqual([]);
});
