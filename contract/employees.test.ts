import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type CalendarDate } from './dates.ts';
import {
  type Assignment,
  currentAssignment,
  datesOverlap,
  fullName,
  initials,
  isCompleteMember,
  overlappingAssignments,
} from './employees.ts';

const today = '2027-03-15' as CalendarDate;

function assignment(projectId: number, from: number, to: number, completed = false): Assignment {
  return {
    projectId,
    projectName: `Sito ${projectId}`,
    location: 'Gela',
    startDate: addDays(today, from),
    endDate: addDays(today, to),
    completed,
  };
}

describe('a new member', () => {
  test('is complete only with name, surname and role', () => {
    const whole = { name: 'Mario', surname: 'Rossi', role: 'Tecnico' } as const;
    expect(isCompleteMember(whole)).toBe(true);
    expect(isCompleteMember({ ...whole, name: ' ' })).toBe(false);
    expect(isCompleteMember({ ...whole, surname: '' })).toBe(false);
    expect(isCompleteMember({ ...whole, role: '' })).toBe(false);
    expect(isCompleteMember({ ...whole, name: '\u200B' })).toBe(false);
    expect(isCompleteMember({ ...whole, surname: '\u202E ' })).toBe(false);
  });

  test("is stored as 'Nome Cognome' and shown with two initials", () => {
    expect(fullName(' Mario  Luigi ', 'De Rossi')).toBe('Mario Luigi De Rossi');
    const names = ['Mario De Rossi', 'Ugo', 'élodie à', '', '𐐷nna Rossi'];
    expect(names.map(initials)).toEqual(['MR', 'U', 'ÉÀ', '', '𐐏R']);
  });
});

describe('the current assignment', () => {
  test('is the running project, else the next, else the last, but never a completed one', () => {
    const running = assignment(1, -5, 5);
    const next = assignment(2, 10, 20);
    const past = assignment(3, -50, -40);
    const closed = assignment(4, -1, 1, true);
    expect(currentAssignment([past, next, running, closed], today)).toBe(running);
    expect(currentAssignment([past, next, closed], today)).toBe(next);
    expect(currentAssignment([past, closed], today)).toBe(past);
    expect(currentAssignment([closed], today)).toBeUndefined();
  });

  test('is running from its first day to its last', () => {
    const next = assignment(1, 1, 9);
    const past = assignment(2, -9, -1);
    const [firstDay, lastDay] = [assignment(3, 0, 9), assignment(4, -9, 0)];
    expect(currentAssignment([next, past, lastDay], today)).toBe(lastDay);
    expect(currentAssignment([next, past, lastDay, firstDay], today)).toBe(firstDay);
  });

  test('is the nearest in time, and of equally near ones the first created', () => {
    const at = (...assignments: Assignment[]) => currentAssignment(assignments, today)?.projectId;
    expect(at(assignment(1, -9, 9), assignment(2, -2, 1))).toBe(2);
    expect(at(assignment(1, 9, 9), assignment(2, 3, 30))).toBe(2);
    expect(at(assignment(1, -5, -4), assignment(2, -30, -2), assignment(3, -3, -3))).toBe(2);
    for (const [from, to] of [
      [-3, 3],
      [4, 8],
      [-8, -4],
    ] as const)
      for (const ids of [
        [1, 2, 3],
        [3, 2, 1],
      ])
        expect(at(...ids.map((projectId) => assignment(projectId, from, to)))).toBe(1);
  });
});

describe('overlapping dates', () => {
  test('share at least one day, in either order', () => {
    // Short and close together, so that many of them touch on a single day.
    const bound = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(bound, fc.nat(3), bound, fc.nat(3), (a, aLength, b, bLength) => {
        const first = assignment(1, a, a + aLength);
        const second = assignment(2, b, b + bLength);
        const days = new Set(Array.from({ length: aLength + 1 }, (_, index) => a + index));
        const shared = Array.from({ length: bLength + 1 }, (_, index) => b + index).some((day) =>
          days.has(day),
        );
        expect(datesOverlap(first, second)).toBe(shared);
        expect(datesOverlap(second, first)).toBe(shared);
        expect(overlappingAssignments([first, second])).toHaveLength(shared ? 1 : 0);
      }),
    );
  });

  test('of a completed project are not a conflict', () => {
    expect(overlappingAssignments([assignment(1, 0, 9), assignment(2, 5, 9, true)])).toEqual([]);
  });
});
