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

test('whoever came back today is not away any more', () => {
  const window = windowOf(today, 1);
  expect(awayToday(rowsOf('in trasferta', 'Rientrato', 'in trasferta'), window)).toBe(
    'Oggi sono in trasferta 2 persone.',
  );
  expect(awayToday(rowsOf('in trasferta', 'Rientrato'), window)).toBe('Oggi è in trasferta 1 persona.');
  expect(awayToday(rowsOf('Rientrato', 'disponibile'), window)).toBe('Oggi nessuno è in trasferta.');
});

test('where today is not in sight nothing is said of it', () => {
  expect(awayToday(rowsOf('in trasferta'), windowOf(addDays(today, 70), 1))).toBe('');
});
