import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure, groupThousands } from './figures.ts';

test('whole numbers are grouped as Intl groups them, in Italian and in English', () => {
  const italian = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });
  const english = new Intl.NumberFormat('en', { useGrouping: 'always' });
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(figure(count)).toBe(italian.format(count));
      expect(groupThousands(count, ',')).toBe(english.format(count));
    }),
  );
});
