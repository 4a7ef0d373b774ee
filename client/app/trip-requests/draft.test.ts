import { expect, test } from 'vitest';
import { calendarDateSchema } from '#contract/dates.ts';
import type { Project } from '#contract/projects.ts';
import type { TripRequestDetail } from '#contract/trip-requests.ts';
import { startingFrom, startingFromProject } from './draft.ts';

const project = {
  id: 100_007,
  name: 'Diga di Ravedis',
  location: 'Montereale Valcellina',
  startDate: '2026-11-20',
  endDate: '2026-12-18',
  teamSize: 12,
} as Project;

test.for([
  ['ahead', '2026-11-19', '2026-11-20', '2026-12-18'],
  ['beginning today', '2026-11-20', '2026-11-20', '2026-12-18'],
  ['under way', '2026-11-21', '', '2026-12-18'],
  ['over', '2026-12-19', '', ''],
] as const)(
  'a request for a project %s keeps the days that have not passed',
  ([, today, dataInizio, dataFine]) => {
    const { values } = startingFromProject(project, 'ada@example.com', calendarDateSchema.parse(today));
    expect(values).toMatchObject({
      citta: 'Montereale Valcellina',
      progetto: 'Diga di Ravedis',
      projectId: 100_007,
      numeroDipendenti: 12,
      email: 'ada@example.com',
      dataInizio,
      dataFine,
    });
  },
);

test('a request for a project without people is for one', () => {
  const { values } = startingFromProject({ ...project, teamSize: 0 }, 'ada@example.com');
  expect(values.numeroDipendenti).toBe(1);
});

test('a duplicate is for the same project, as it is called now', () => {
  const request = { dataInizio: '2026-11-20', progetto: 'Diga', projectId: 100_007 } as TripRequestDetail;
  const { values } = startingFrom({ ...request, projectName: 'Diga di Ravedis' });
  expect(values).toMatchObject({ progetto: 'Diga di Ravedis', projectId: 100_007 });
  const { values: others } = startingFrom({ ...request, projectId: null, projectName: null });
  expect(others).toMatchObject({ progetto: 'Diga', projectId: undefined });
});
