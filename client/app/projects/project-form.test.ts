import { expect, test, vi } from 'vitest';
import { ApiError } from '#client/lib/api.ts';
import { projectInputSchema } from '#contract/projects.ts';
import { keyingMembers, withDatesAsEntered, withoutGoneEmployees } from './project-form.ts';

const refusal = (code: string, ...indexes: number[]) =>
  new ApiError({
    status: 422,
    code,
    message: 'motivo',
    fields: Object.fromEntries(indexes.map((index) => [`employeeIds.${index}`, 'Non esiste più.'])),
  });

test('deleted employees are removed from the selection, and the message says so', () => {
  const setFieldValue = vi.fn();
  const ids = [7, 8, 9];
  expect(withoutGoneEmployees({ setFieldValue }, ids, refusal('unknown_employee', 1))).toMatchObject({
    status: 422,
    message:
      'Uno dei dipendenti scelti non esiste più: lo abbiamo tolto dal team. Controlla e invia di nuovo.',
    fields: {},
  });
  expect(setFieldValue).toHaveBeenLastCalledWith('employeeIds', [7, 9]);
  expect(withoutGoneEmployees({ setFieldValue }, ids, refusal('unknown_employee', 0, 2))).toMatchObject({
    message:
      '2 dei dipendenti scelti non esistono più: li abbiamo tolti dal team. Controlla e invia di nuovo.',
  });
  expect(setFieldValue).toHaveBeenLastCalledWith('employeeIds', [8]);
});

test('any other failure leaves the selection unchanged', () => {
  const setFieldValue = vi.fn();
  const failure = refusal('invalid_input', 1);
  expect(withoutGoneEmployees({ setFieldValue }, [7, 8], failure)).toBe(failure);
  expect(setFieldValue).not.toHaveBeenCalled();
});

test('a new member keeps their key as long as their data stays the same', () => {
  const keyed = keyingMembers();
  const keysOf = (...names: string[]) =>
    keyed(names.map((name) => ({ name, surname: 'Neri', role: 'Tecnico' }))).map(({ key }) => key);
  const [ada, bea, twin] = keysOf('Ada', 'Bea', 'Ada');
  expect(new Set([ada, bea, twin]).size).toBe(3);
  expect(keysOf('Bea', 'Ada')).toEqual([bea, ada]);
  const [other, same] = keysOf('Bice', 'Ada');
  expect(same).toBe(ada);
  expect(other).not.toBe(bea);
});

test('a new project is sent with the dates as entered, so that it stays the same after midnight', () => {
  const valid = projectInputSchema.parse({ name: 'Diga', location: 'Avise' });
  const entered = { startDate: '', endDate: '' };
  expect(withDatesAsEntered(valid, entered)).toMatchObject({ startDate: null, endDate: null });
  const { endDate } = valid;
  expect(withDatesAsEntered(valid, { ...entered, endDate })).toMatchObject({ startDate: null, endDate });
});
