import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containWords, MAX_SEARCH_WORDS, searchWords } from './lists.ts';

const word = fc.stringMatching(/^[a-zà-ù0-9'’.,%]{1,6}$/);
const blanks = fc.stringMatching(/^[ \t\n\u00a0]{1,3}$/);
const words = fc.array(word, { minLength: 1, maxLength: 14 });

describe('the words of a searched text', () => {
  test.for([
    ['Rossi  Mario', ['Rossi', 'Mario']],
    ['\u00a0Rossi\t', ['Rossi']],
    ['   ', []],
    ['€ 1.250 Rossi', ['1.250', 'Rossi']],
    ['€', ['€']],
    ['Però PERO', ['PERO']],
    ["l’Aquila l'aquila", ["l'aquila"]],
    ['uno due tre quattro cinque sei sette otto', 'uno due tre quattro cinque sei sette otto'.split(' ')],
    ['a b c d e f g di  qua e di là', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'di qua e di là']],
  ] as const)('for %j are %j', ([text, expected]) => {
    expect(searchWords(text)).toEqual(expected);
  });

  test('are limited in number, not empty, and independent of the whitespace between them', () => {
    fc.assert(
      fc.property(words, fc.array(blanks, { minLength: 14, maxLength: 14 }), (said, gaps) => {
        const found = searchWords(said.map((each, index) => `${gaps[index]}${each}`).join(''));
        expect(found).toEqual(searchWords(said.join(' ')));
        expect(found.length).toBeLessThanOrEqual(MAX_SEARCH_WORDS);
        expect(found.every((each) => each !== '' && each === each.trim())).toBe(true);
      }),
    );
  });

  test('match the text they come from, in any order, but only if all occur', () => {
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.nat()), (said, chance) => {
        expect(containWords([`x ${said.join(' ')} x`], said.join(' '))).toBe(true);
        const few = said.slice(0, MAX_SEARCH_WORDS);
        const mixed = few.toSorted(() => ((chance.next().value ?? 0) % 2) - 0.5);
        expect(containWords(few, mixed.join(' '))).toBe(true);
        expect(containWords(few.slice(1), few.join(' '))).toBe(
          few.slice(1).some((text) => containWords([text], few[0] ?? '')),
        );
      }),
    );
  });

  test('match any text when there are none', () => {
    for (const search of ['', ' \n']) expect(containWords(['Diga'], search)).toBe(true);
    expect(containWords([], '')).toBe(true);
  });

  test('match no additional texts when one is added', () => {
    fc.assert(
      fc.property(words, word, fc.nat({ max: 28 }), (said, another, lacking) => {
        // Half of the texts or more have every word, so that they match.
        const texts = [[...said, another].toSpliced(lacking, 1).join(' ')];
        const before = containWords(texts, said.join(' '));
        const after = containWords(texts, [...said, another].join(' '));
        if (after) expect(before).toBe(true);
        // Beyond that many, the words must follow each other.
        if (said.length < MAX_SEARCH_WORDS) expect(after).toBe(before && containWords(texts, another));
      }),
    );
  });
});
