import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, type CalendarDate } from '#contract/dates.ts';
import { checkDraft } from '#contract/invoices.ts';
import { toEuro } from '#contract/money.ts';
import { TRIP_REQUEST_STATES } from '#contract/trip-requests.ts';
import { demoYear } from './year.ts';

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2020-01-01' as CalendarDate, days));

describe('the demo year', () => {
  test('has 12 projects, 60 employees, over 90 invoices and requests in every state', () => {
    const { projects, employees, requests } = demoYear('2026-11-21' as CalendarDate);
    expect(projects).toHaveLength(12);
    expect(new Set(employees.map(({ name }) => name)).size).toBe(60);
    expect(new Set(employees.map(({ department }) => department)).size).toBe(4);
    expect(projects.flatMap(({ invoices }) => invoices).length).toBeGreaterThan(90);
    expect(new Set(requests.map(({ states }) => states.at(-1)?.state))).toEqual(new Set(TRIP_REQUEST_STATES));
  });

  test('puts nobody on two sites on the same day and bills each site for its whole team', () => {
    const { projects } = demoYear('2026-11-21' as CalendarDate);
    for (const [index, project] of projects.entries()) {
      const [nights] = project.invoices[0]?.lines ?? [];
      if (nights) expect(nights.what).toContain(` ${project.team.length} persone `);
      for (const other of projects.slice(index + 1)) {
        if (project.startDate > other.endDate || other.startDate > project.endDate) continue;
        expect(project.team.filter((person) => other.team.includes(person))).toEqual([]);
      }
    }
  });

  test('is the same each time it is generated for a given day', () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        expect(demoYear(today)).toEqual(demoYear(today));
      }),
      { numRuns: 10 },
    );
  });

  test('follows the rules of real records on any day', () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        const { projects, employees, requests } = demoYear(today);
        for (const { startDate, endDate, team, invoices, status } of projects) {
          expect(endDate >= startDate && (status === 'In corso') === endDate >= today).toBe(true);
          expect(new Set(team).size).toBe(team.length);
          expect(team.every((person) => person < employees.length)).toBe(true);
          for (const { amount, lines, ...invoice } of invoices) {
            expect(invoice.issueDate <= today).toBe(true);
            expect(checkDraft({ ...invoice, amount: toEuro(amount) }, today)).toHaveProperty('draft');
            expect(lines.reduce((sum, { quantity, unit }) => sum + quantity * unit, 0)).toBe(amount);
          }
        }
        for (const { states, startDate, endDate } of requests) {
          expect(endDate >= startDate).toBe(true);
          expect(states.every(({ on }) => on <= today)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('always has due and overdue invoices, employees away, and sites about to start and end', () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        const { projects, employees } = demoYear(today);
        const unpaid = projects
          .flatMap(({ invoices }) => invoices)
          .filter(({ status }) => status === 'Da Pagare');
        const soon = addDays(today, 14);
        expect(unpaid.some(({ dueDate }) => dueDate < today)).toBe(true);
        expect(unpaid.some(({ dueDate }) => dueDate >= today)).toBe(true);
        expect(employees.filter(({ status }) => status === 'in trasferta').length).toBeGreaterThan(20);
        expect(projects.some(({ startDate }) => startDate > today && startDate <= soon)).toBe(true);
        expect(projects.some(({ endDate }) => endDate >= today && endDate <= soon)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
