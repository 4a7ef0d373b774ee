import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('only what was typed is sent, also where it was emptied', () => {
  const initial = { fullName: 'Ada Neri', companyName: 'Neri S.r.l.' };
  expect(changedFields(initial, { ...initial })).toEqual({});
  expect(changedFields(initial, { ...initial, fullName: 'Ada Bianchi' })).toEqual({
    fullName: 'Ada Bianchi',
  });
  expect(changedFields(initial, { ...initial, companyName: '' })).toEqual({ companyName: '' });
});
