import { expect, test, vi } from 'vitest';
import { ApiError } from '#client/lib/api.ts';
import { isSame } from '#client/lib/edit-conflict.ts';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { type Project, projectInputSchema, sampleProjects } from '#contract/projects.ts';
import {
  differencesOf,
  keyingMembers,
  type ProjectValues,
  valuesOf,
  withDatesAsEntered,
  withoutGoneEmployees,
} from './project-form.ts';

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

test('an edit is as it was saved, whatever its empty fields, its blanks and its new people became', () => {
  const today = todayInRome();
  const [sample] = sampleProjects(today);
  const ada = { id: 1, name: 'Ada Neri', role: 'Tecnico', status: 'in trasferta' as const };
  const saved = { ...(sample as Project), startDate: today, endDate: today, team: [ada], teamSize: 1 };
  const fieldsIn = (mine: Partial<ProjectValues>, change: Partial<Project> = {}) =>
    differencesOf({ ...valuesOf(saved), ...mine }, { ...saved, ...change })
      .filter((difference) => !isSame(difference))
      .map(({ field }) => field);
  expect(fieldsIn({})).toEqual([]);
  expect(fieldsIn({ startDate: '', endDate: '' })).toEqual([]);
  const later = addDays(today, 9) as CalendarDate;
  expect(fieldsIn({ startDate: later, endDate: '' }, { startDate: later, endDate: later })).toEqual([]);
  expect(fieldsIn({ startDate: 'ieri', endDate: '' })).toEqual(['Inizio', 'Fine']);
  expect(fieldsIn({ projectedTotal: '', spent: '' }, { projectedTotal: 0, openingSpent: 0 })).toEqual([]);
  expect(fieldsIn({ projectedTotal: '' }, { projectedTotal: 5 })).toEqual(['Proiezione']);

  const blank = { name: ' ', surname: '', role: '' as const };
  const bea = { name: ' Bea ', surname: 'Rossi', role: 'Ingegnere' as const };
  const saidOfBea = { ...ada, id: 2, name: 'Bea Rossi', role: 'Ingegnere' };
  expect(fieldsIn({ newEmployees: [blank] })).toEqual([]);
  expect(fieldsIn({ newEmployees: [bea] }, { team: [ada, saidOfBea], teamSize: 2 })).toEqual([]);
  expect(fieldsIn({ newEmployees: [bea] })).toEqual(['Team']);
  expect(fieldsIn({ newEmployees: [bea] }, { team: [saidOfBea], teamSize: 1 })).toEqual(['Team']);
  expect(fieldsIn({}, { team: [saidOfBea], teamSize: 1 })).toEqual(['Team']);
  expect(fieldsIn({ employeeIds: [] })).toEqual(['Team']);
});
