import { describe, expect, test } from 'vitest';
import { optionalText, requiredName, requiredText, z } from './validation.ts';

describe('texts', () => {
  const name = requiredText('Manca il nome', 20);

  test.each(['', '   ', '\u200B', '\u202E\u2066', '\u0000\u0007', '\uD800'])('%j is no name', (text) => {
    expect(name.safeParse(text).error?.issues[0]?.message).toBe('Manca il nome');
  });

  test('what cannot be seen is left out, letters of any language and joined emoji stay', () => {
    expect(name.parse(' \u202EAnna\u200B Șerban ')).toBe('Anna Șerban');
    expect(name.parse('👷‍♀️ Łukasz')).toBe('👷‍♀️ Łukasz');
  });

  test('a name is one line', () => {
    expect(requiredName('Manca il nome', 20).parse(' Anna,\r\n\n\tBruni ')).toBe('Anna, Bruni');
  });

  test('lines stay lines', () => {
    expect(optionalText(100).parse('Prima riga\r\nSeconda\tcolonna\u0000')).toBe(
      'Prima riga\nSeconda\tcolonna',
    );
    expect(optionalText(100).parse('\u200B')).toBeNull();
  });
});

test('figures are grouped', () => {
  const said = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues[0]?.message;
  expect(said(optionalText(2000), 'x'.repeat(2001))).toBe('Al massimo 2.000 caratteri');
  expect(said(z.int().max(5000), 5001)).toBe('Al massimo 5.000');
});

test('what is wrong with a value is said in words of its reader', () => {
  const schema = z.object({ count: z.int().min(1).max(5), kind: z.enum(['uno', 'due']), id: z.uuid() });
  const said = (input: unknown) => schema.safeParse(input).error?.issues.map(({ message }) => message);
  expect(said({ count: 9, kind: 'tre', id: 'x' })).toEqual([
    'Al massimo 5',
    'Scelta non valida',
    'Valore non valido',
  ]);
  expect(said({ count: 0, kind: 'uno', id: [] })).toEqual(['Almeno 1', 'Valore non valido']);
  expect(said({ count: 'uno' })).toEqual(['Valore non valido', 'Campo obbligatorio', 'Campo obbligatorio']);
});
