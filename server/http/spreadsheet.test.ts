import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from './env.ts';
import { type SpreadsheetColumn, toSpreadsheet } from './spreadsheet.ts';

const columns: SpreadsheetColumn<string>[] = [
  { header: 'Nome', width: 20, type: 'text', value: (row) => row },
];

test('workbooks asked for at the same moment are read and generated one after the other', async () => {
  const events: string[] = [];
  async function* pages(name: string) {
    yield [name];
  }
  const app = new Hono<AppEnv>().get('/:name', async (c) => {
    const name = c.req.param('name');
    const content = await toSpreadsheet(c, 'xlsx', 'Nomi', columns, async () => {
      events.push(`${name} begun`);
      return pages(name);
    });
    events.push(`${name} done`);
    return c.body(content);
  });
  const answers = await Promise.all(['first', 'second', 'third'].map((name) => app.request(`/${name}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  // The next one may begin just before the one before is answered, but not while it is generated.
  expect(events.indexOf('third begun')).toBeGreaterThan(events.indexOf('first done'));
});
