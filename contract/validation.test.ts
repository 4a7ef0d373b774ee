import { describe, expect, test } from 'vitest';
import { registrationSchema } from './accounts.ts';
import { contactRequestSchema } from './contact-requests.ts';
import { employeeChangeSchema, employeeInputSchema, newMemberSchema } from './employees.ts';
import { profileSchema } from './profile.ts';
import { PROJECT_TEXTS, projectChangeSchema, projectInputSchema } from './projects.ts';
import { requirementsSchema } from './requirements.ts';
import { tripRequestSchema } from './trip-requests.ts';
import { newUserSchema, userNamesSchema } from './users.ts';
import { optionalLine, optionalText, requiredLine, requiredText, z } from './validation.ts';

/** The fields of an object schema, without its checks across fields. */
function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodObject) return schema.shape;
  throw new Error('no object');
}

test.each([
  [z.string().max(2_000), 'x'.repeat(2_001), 'Al massimo 2.000 caratteri'],
  [z.string().min(3), 'x', 'Almeno 3 caratteri'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Al massimo 2 elementi'],
  [z.number().max(1_000), 1_001, 'Al massimo 1.000'],
  // Not the limit of exact whole numbers, which has sixteen digits.
  [z.int().max(100), 1e30, 'Valore non valido'],
  [z.int().min(1), -1e30, 'Valore non valido'],
])('a limit without its own message gets an Italian one (%#)', (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message);
});

describe('texts', () => {
  const name = requiredText('Manca il nome', 20);

  test.each(
    [
      ['', '   ', '\u200B', '\u202E\u2066', '\u00AD', '\u3164', '\u0000\u0007', '\uD800'],
      // Kept in a word or an emoji, but invisible alone.
      ['\u200C', '\u200D', '\uFE0F', '\u034F', '\u2800', '\u{E0001}', ' \u200D \u2800\n'],
    ].flat(),
  )('without visible characters count as missing: %j', (text) => {
    expect(name.safeParse(text).error?.issues[0]?.message).toBe('Manca il nome');
    expect(requiredLine('Manca il nome', 20).safeParse(text).error?.issues[0]?.message).toBe('Manca il nome');
    expect([optionalText(20).parse(text), optionalLine(20).parse(text)]).toEqual([null, null]);
  });

  test('lose invisible characters, but keep letters of any language and joined emoji', () => {
    expect(name.parse(' \u202EAnna\u200B Șerban ')).toBe('Anna Șerban');
    expect(name.parse('Co\u00ADstru\u00ADzioni')).toBe('Costruzioni');
    expect(name.parse('👷‍♀️ Łukasz')).toBe('👷‍♀️ Łukasz');
  });

  test.each([
    ...['\u0007', '\u00AD', '\u061C', '\u115F', '\u1160', '\u200B', '\u200E', '\u200F', '\u202A', '\u202E'],
    ...['\u2060', '\u2069', '\u3164', '\uD800', '\uFEFF', '\uFFA0'],
  ])('lose %j also inside a word', (unseen) => {
    expect(name.parse(`An${unseen}na`)).toBe('Anna');
  });

  test('have their accents composed, so that they are as long as they look', () => {
    expect(requiredLine('Manca il nome', 6).parse('Nicolò'.normalize('NFD'))).toBe('Nicolò');
    expect(requiredText('Manca il nome', 2).parse('éé'.normalize('NFD'))).toBe('éé');
  });

  test('lose the marks beyond thirty on a letter, which take the square of their number to put in order', () => {
    const before = '\u0300'.repeat(30);
    expect(optionalText(100).parse(`x${before}`)).toBe(`x${before}`);
    expect(optionalText(100).parse(`x${before}\u0315\u200B\u0315y\u0301`)).toBe(`x${before}ý`);

    // Each of the second kind has to stand before all of the first: putting so many in order takes minutes.
    for (const unordered of ['\u0315\u0300', '\u0315\u0300\u200B']) {
      expect(optionalText(100).parse(`x${unordered.repeat(150_000)}`)).toHaveLength(31);
    }
  });

  test.each([' Anna,\r\n\n\tBruni ', 'Anna,\rBruni', 'Anna,\v\fBruni', 'Anna,\u2028Bruni\u0007'])(
    'become one line in a single-line field: %j',
    (text) => {
      expect(requiredLine('Manca il nome', 20).parse(text)).toBe('Anna, Bruni');
      expect(optionalLine(20).parse(text)).toBe('Anna, Bruni');
    },
  );

  test('have their length checked after the line breaks are removed', () => {
    expect(requiredLine('Manca il nome', 11).safeParse('Anna,\r\n\r\nBruni').success).toBe(true);
    expect(optionalLine(10).safeParse('Anna, Bruni').error?.issues[0]?.message).toBe(
      'Al massimo 10 caratteri',
    );
    expect(optionalLine(10).parse(' \n ')).toBeNull();
  });

  test.each(
    Object.entries({
      registration: [registrationSchema, 'fullName', 'companyName'],
      profile: [profileSchema, 'fullName', 'companyName'],
      user: [newUserSchema, 'fullName', 'companyName'],
      'names of a user': [userNamesSchema, 'fullName', 'companyName'],
      project: [projectInputSchema, 'name', 'location'],
      'change of a project': [projectChangeSchema, 'name', 'location'],
      'new member': [newMemberSchema, 'name', 'surname'],
      employee: [employeeInputSchema, 'name', 'surname', 'department', 'phone'],
      'change of an employee': [employeeChangeSchema, 'name', 'department', 'phone'],
      'trip request': [tripRequestSchema, 'citta', 'posizione', 'progetto', 'telefono'],
      'contact request': [contactRequestSchema, 'nome', 'cognome', 'azienda', 'telefono'],
      requirements: [requirementsSchema, 'destination'],
    } satisfies Record<string, [z.ZodType, ...string[]]>),
  )('become one line in every single-line field of a %s', (_, [schema, ...fields]) => {
    const shape = shapeOf(schema);
    const lines = Object.fromEntries(fields.map((field) => [field, shape[field]?.parse(' Via\r\nRoma\t5 ')]));
    expect(lines).toEqual(Object.fromEntries(fields.map((field) => [field, 'Via Roma 5'])));
  });

  test('keep their line breaks in a multi-line field', () => {
    expect(optionalText(100).parse('Prima riga\r\nSeconda\tcolonna\u0000')).toBe(
      'Prima riga\nSeconda\tcolonna',
    );
    expect(optionalText(100).parse('\u200B')).toBeNull();
  });
});

test('limits in messages have thousands separators', () => {
  const said = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues[0]?.message;
  expect(said(optionalText(2000), 'x'.repeat(2001))).toBe('Al massimo 2.000 caratteri');
  expect(said(z.int().max(5000), 5001)).toBe('Al massimo 5.000');
});

test('validation errors are in plain Italian', () => {
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

describe('an end before its start', () => {
  test.each(
    Object.entries({
      project: [projectInputSchema, 'startDate', 'endDate'],
      'change of a project': [projectChangeSchema, 'startDate', 'endDate'],
      'trip request': [tripRequestSchema, 'dataInizio', 'dataFine'],
      requirements: [requirementsSchema, 'startDate', 'endDate'],
    } satisfies Record<string, [z.ZodType, string, string]>),
  )(
    'of a %s is reported together with missing fields, and an invalid end only once',
    (_, [schema, start, end]) => {
      const wrong = (dates: readonly string[]) =>
        schema
          .safeParse({ [start]: dates[0], [end]: dates[1] })
          .error?.issues.map(({ path }) => path.join('.'));
      const missing = wrong(['2190-02-02', '2190-02-02']);
      expect(missing?.length).toBeGreaterThan(1);
      expect(wrong(['2190-02-02', '2190-02-01'])).toEqual([...(missing ?? []), end]);
      expect(wrong(['2190-02-02', 'domani'])?.filter((path) => path === end)).toEqual([end]);
      expect(schema.safeParse(null).success).toBe(false);
    },
  );

  test('of a project is measured from today if no start is given', () => {
    const { error } = projectInputSchema.safeParse({ location: 'Roma', endDate: '2020-01-01' });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      PROJECT_TEXTS.nameMissing,
      PROJECT_TEXTS.endBeforeStart,
    ]);
    expect(
      projectInputSchema.safeParse({ name: 'A', location: 'Roma', startDate: '2190-01-01' }).success,
    ).toBe(true);
  });
});
