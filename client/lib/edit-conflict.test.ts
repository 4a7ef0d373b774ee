import { expect, test } from 'vitest';
import { isSame } from './edit-conflict.ts';

const same = (mine: string, saved: string) => isSame({ field: 'Nome', mine, saved });

test('a text is the same as what was saved of it', () => {
  expect(same(' Ponte  Nord ', 'Ponte Nord')).toBe(true);
  expect(same('Perche\u0301\u200B', 'Perch\u00E9')).toBe(true);
  expect(same('\u200B', '')).toBe(true);
});

test('other words and other lines are not', () => {
  expect(same('Ponte Nord', 'Ponte Sud')).toBe(false);
  expect(same('Ponte\nNord', 'Ponte Nord')).toBe(false);
  expect(same('', '—')).toBe(false);
});
