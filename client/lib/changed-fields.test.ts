import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('only changed fields are sent, including emptied ones', () => {
  const initial = { fullName: 'Ada Neri', companyName: 'Neri S.r.l.' };
  expect(changedFields(initial, { ...initial })).toEqual({});
  expect(changedFields(initial, { ...initial, fullName: 'Ada Bianchi' })).toEqual({
    fullName: 'Ada Bianchi',
  });
  expect(changedFields(initial, { ...initial, companyName: '' })).toEqual({ companyName: '' });
});
