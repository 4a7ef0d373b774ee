import { expect, test } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import type { Timeline } from '#contract/projects.ts';
import { personRows, windowOf } from './timeline.ts';
import { awayToday } from './timeline-findings.ts';

const today = todayInRome();
const away = [{ startDate: addDays(today, -9), endDate: today }];

function rowsOf(...statuses: Timeline['people'][number]['status'][]) {
  return personRows({
    sample: false,
    projects: [],
    people: statuses.map((status, id) => ({
      id,
      name: 'Ada',
      role: 'Tecnico',
      status,
      projectIds: [],
      away,
    })),
  });
}

test('people who came back today do not count as away', () => {
  const window = windowOf(today, 1);
  expect(awayToday(rowsOf('in trasferta', 'Rientrato', 'in trasferta'), window)).toBe(
    'Oggi sono in trasferta 2 persone.',
  );
  expect(awayToday(rowsOf('in trasferta', 'Rientrato'), window)).toBe('Oggi è in trasferta 1 persona.');
  expect(awayToday(rowsOf('Rientrato', 'disponibile'), window)).toBe('Oggi nessuno è in trasferta.');
});

test('nothing is said about today if the window does not include it', () => {
  expect(awayToday(rowsOf('in trasferta'), windowOf(addDays(today, 70), 1))).toBe('');
});
