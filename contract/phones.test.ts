import { expect, test } from 'vitest';
import { spokenPhone } from './phones.ts';

test('a phone number is shown in groups', () => {
  expect(spokenPhone('+390200000000')).toBe('+39 02 0000 0000');
  expect(spokenPhone('+393000000000')).toBe('+39 300 000 0000');
});
