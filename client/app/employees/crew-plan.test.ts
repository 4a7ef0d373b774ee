import { describe, expect, test } from 'vitest';
import { readCrewList } from './crew-list.ts';
import { importOf, knownPeople, outcomeOf } from './crew-plan.ts';

const known = knownPeople([
  { name: 'Ada Neri', employees: [{ id: 1, projectIds: [] }] },
  { name: 'ADA NERI', employees: [{ id: 1, projectIds: [] }] },
  { name: 'Ida Re', employees: [{ id: 2, projectIds: [8, 9] }] },
  {
    name: 'Ugo Bassi',
    employees: [
      { id: 3, projectIds: [] },
      { id: 4, projectIds: [8] },
    ],
  },
]);

describe('an import', () => {
  test.each([
    ['Mario Rossi', { projectId: 9, skipKnown: true }, 'added'],
    ['Ada Neri', { projectId: 9, skipKnown: false }, 'added'],
    ['Ada Neri', { projectId: null, skipKnown: true }, 'left out'],
    ['Ada Neri', { projectId: 9, skipKnown: true }, 'assigned'],
    ['Ida Re', { projectId: 9, skipKnown: true }, 'on the project'],
    ['Ugo Bassi', { projectId: 9, skipKnown: true }, 'ambiguous'],
    ['Ugo Bassi', { projectId: 8, skipKnown: true }, 'on the project'],
  ] as const)('of %s with %o: %s', (name, target, outcome) => {
    expect(outcomeOf(name, known, target)).toBe(outcome);
  });

  test('adds new people and assigns each known person to the project once', () => {
    const { rows } = readCrewList('Nome;Cognome\nMario;Rossi\nAda;Neri\nADA;NERI\nIda;Re\nUgo;Bassi');
    const { employees, employeeIds } = importOf(rows, known, { projectId: 9, skipKnown: true });
    expect(employees.map(({ name, surname }) => `${name} ${surname}`)).toEqual(['Mario Rossi']);
    expect(employeeIds).toEqual([1]);
  });
});
