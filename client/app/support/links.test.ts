import { expect, test } from 'vitest';
import { whatsappLink } from './links.ts';

test('a WhatsApp address has digits only', () => {
  expect(whatsappLink('+393000000000')).toBe('https://wa.me/393000000000');
});
