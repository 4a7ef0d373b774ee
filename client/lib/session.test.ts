import { expect, test } from 'vitest';
import { displayName } from './session.ts';

test('an account is called by its username, else its full name, else its address (spec §2)', () => {
  const me = { username: 'anna', fullName: 'Anna Bruni', email: 'a.bruni@example.com' };
  expect(displayName(me)).toBe('anna');
  expect(displayName({ ...me, username: '' })).toBe('Anna Bruni');
  expect(displayName({ ...me, username: '', fullName: '' })).toBe('a.bruni');
  expect(displayName({ username: '', fullName: '', email: '' })).toBe('Utente');
});
