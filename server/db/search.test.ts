import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from '#contract/lists.ts';
import { indexedPattern } from './search.ts';

/** Whether a `like` pattern without literal wildcards matches `text`. */
function finds(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replaceAll('%', '[^]*')}$`).test(text);
}

describe('the index pattern of a word', () => {
  test.for([
    ['rossi', '%rossi%'],
    ['montaggi', '%mon%taggi%'],
    ['Cantiere', '%can%tiere%'],
    ['cliente77@impresa77.example', '%e77%a77%'],
    ['anna.verdi@impresa.example', '%anna%verdi%imp%resa%exa%mple%'],
    ['a7@impresa.example', '%a7%imp%resa%exa%mple%'],
    ['12/2026', '%2026%'],
    ['Nicolò', '%nic%olo%'],
    ['è', '%%'],
  ] as const)('for %s is %s', ([word, pattern]) => {
    expect(indexedPattern(word)).toBe(pattern);
  });

  test('matches every text that contains the word', () => {
    const part = fc.oneof(fc.string(), fc.stringMatching(/^[a-zà-ù0-9@.%_\\-]{1,30}$/));
    fc.assert(
      fc.property(part, part, part, (before, word, after) => {
        expect(finds(indexedPattern(word), foldText(before) + foldText(word) + foldText(after))).toBe(true);
      }),
    );
  });
});
