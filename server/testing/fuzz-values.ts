import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

const FORMATS: Record<string, Arbitrary<string>> = {
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    // PostgreSQL has no year 0, and reads no text that is as long.
    fc.constantFrom('0000-01-01T00:00:00Z', `2026-01-01T00:00:00.${'0'.repeat(150)}Z`),
  ),
  email: fc.emailAddress(),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
};

/** Values that match a schema; rules that the schema does not express may still refuse them. */
export function validValue(schema: Schema, depth = 0): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValue(choice, depth)));
  if (schema.allOf) return validValue(Object.assign({}, ...schema.allOf), depth);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => validValue({ ...schema, type }, depth)));
  }
  const { minimum = -1_000, maximum = Math.max(minimum, 0) + 1_000 } = schema;
  switch (schema.type) {
    case 'string':
      return FORMATS[schema.format ?? ''] ?? text(schema);
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 31)) });
    case 'number':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }).map((cents) => cents / 2);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(validValue(schema.items ?? {}, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      });
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(
        Object.fromEntries(properties.map(([name, value]) => [name, validValue(value, depth + 1)])),
      );
    }
    case 'null':
      return fc.constant(null);
    default:
      return depth > 3 ? fc.constant(null) : fc.jsonValue();
  }
}

function text({ minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60), unit: 'grapheme' });
}

function nested(depth: number): unknown {
  let value: unknown = 'in fondo';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Texts known to break parsers, databases, paths, headers, spreadsheets and pages. */
export const NASTY_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{d800}',
  '\u{202e}evil',
  '\u{feff}',
  '🏗️'.repeat(50),
  'é'.normalize('NFD').repeat(40),
  "' or 1=1 --",
  '"; drop table profiles; --',
  '$1',
  '%00',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  'a\r\nSet-Cookie: x=1',
  'x'.repeat(100_000),
  '%'.repeat(300),
  '_%_%',
  '\\',
  'null',
  'undefined',
  'NaN',
  '1e309',
  '9'.repeat(400),
  '2026-02-30',
  '0000-00-00',
  '99999-01-01',
  '0000-01-01T00:00:00Z',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://user:pw@127.0.0.1:1/',
];

const NASTY_VALUES: unknown[] = [
  ...NASTY_TEXTS,
  null,
  true,
  0,
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  2 ** 31,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  Array.from({ length: 3_000 }, (_, index) => index),
  { __proto__: null, constructor: { prototype: { admin: true } } },
  JSON.parse('{"__proto__": {"role": "admin"}, "role": "admin", "userId": "x"}'),
  nested(40),
  nested(3_000),
];

export const nastyText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 50 }),
);

const nasty: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_VALUES) },
  fc.anything({ withUnicodeString: true }).map((value) => toJson(value)),
);

function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}

/** A value that matches the schema except in one place, which has a wrong, missing or extra value. */
export function invalidValue(schema: Schema): Arbitrary<unknown> {
  return fc.tuple(validValue(schema), nasty, fc.nat(), fc.nat(3)).map(([value, wrong, where, how]) => {
    if (typeof value !== 'object' || value === null) return wrong;
    const changed: Record<string, unknown> = { ...value };
    const names = Object.keys(changed);
    const name = names[where % Math.max(1, names.length)] ?? 'campo';
    if (how === 0) delete changed[name];
    else if (how === 1) changed[`${name}Inatteso`] = wrong;
    else changed[name] = wrong;
    return changed;
  });
}
