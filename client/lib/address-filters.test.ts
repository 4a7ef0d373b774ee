import { expect, test } from 'vitest';
import { MAX_SEARCH_LENGTH } from '#contract/lists.ts';
import { usableParameters } from './address-filters.ts';

const usable = (address: string) => usableParameters(new URLSearchParams(address)).toString();

test.each([
  'progetto=abc',
  'progetto=1.5',
  'progetto=99999999999999999999',
  `cerca=${'x'.repeat(MAX_SEARCH_LENGTH + 1)}`,
  'cerca=diga%00',
  `cliente=${'x'.repeat(101)}`,
  'cliente=%00',
])('an invalid parameter of an address is dropped, and the rest stays: %s', (wrong) => {
  expect(usable(`vista=fatture&${wrong}&stato=Pagata`)).toBe('vista=fatture&stato=Pagata');
});

test('parameters that the API accepts stay unchanged', () => {
  const address = `progetto=0&cerca=${'x'.repeat(MAX_SEARCH_LENGTH)}&cliente=a-b&dal=2026-01-01&ordine=importo`;
  expect(usable(address)).toBe(address);
});
