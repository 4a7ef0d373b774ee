import { expect, test } from 'vitest';
import { phoneParts, spokenPhone } from './phones.ts';

test('a phone number is shown in groups', () => {
  expect(spokenPhone('+390200000000')).toBe('+39 02 0000 0000');
  expect(spokenPhone('+393000000000')).toBe('+39 300 000 0000');
});

test.for([
  ['+39 (0)2 123-4567', ['tel:+39021234567']],
  ['02/1234567', ['tel:021234567']],
  ['0039 333 1234567', ['tel:00393331234567']],
  ['02 1234567 / 333 7654321', ['tel:021234567', 'tel:3337654321']],
  ['02 1234567 - Rossi, 333.765.4321', ['tel:021234567', 'tel:3337654321']],
  ['333 1234567 int. 5', ['tel:3331234567']],
  ['cell. 333 1234567', ['tel:3331234567']],
  ['chiedere in ufficio', []],
  ['12', []],
  ['(02) 1234567', ['tel:021234567']],
  ['1234567890123456', []],
] as const)('in "%s" the numbers can be dialled', ([text, numbers]) => {
  const parts = phoneParts(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.flatMap(({ href }) => href ?? [])).toEqual(numbers);
  for (const part of parts) if (part.href !== null) expect(part.text).toMatch(/^[+(\d].*\d$/);
});
