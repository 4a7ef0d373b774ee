import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '#server/testing/until.ts';
import type { AppEnv } from './env.ts';
import { createHttpServer } from './listener.ts';
import { type SpreadsheetColumn, toSpreadsheet } from './spreadsheet.ts';

const columns: SpreadsheetColumn<string>[] = [
  { header: 'Nome', width: 20, type: 'text', value: (row) => row },
];

/** Generates a workbook at any address, and tells `events` of its name. `read` delays its rows. */
function workbooks(events: string[], read = async (_name: string) => {}) {
  async function* pages(name: string) {
    yield [name];
  }
  return new Hono<AppEnv>().get('/:name', async (c) => {
    const name = c.req.param('name');
    events.push(`${name} asked`);
    const content = await toSpreadsheet(c, 'xlsx', 'Nomi', columns, async () => {
      events.push(`${name} begun`);
      await read(name);
      return pages(name);
    });
    events.push(`${name} done`);
    return c.body(content);
  });
}

test('workbooks asked for at the same moment are read and generated one after the other', async () => {
  const events: string[] = [];
  const app = workbooks(events);
  const answers = await Promise.all(['first', 'second', 'third'].map((name) => app.request(`/${name}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  // The next one may begin just before the one before is answered, but not while it is generated.
  expect(events.indexOf('third begun')).toBeGreaterThan(events.indexOf('first done'));
});

test('a workbook that nobody waits for any longer when its turn comes is not generated', async () => {
  const events: string[] = [];
  const { promise: rows, resolve: goOn } = Promise.withResolvers<void>();
  const server = createHttpServer(
    workbooks(events, (name) => (name === 'first' ? rows : Promise.resolve())).fetch,
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = (name: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`, init);
  const first = ask('first');
  await until('the first to be read', () => events.includes('first begun'));
  const leaving = new AbortController();
  const gone = once(server, 'request').then(([, outgoing]) => once(outgoing, 'close'));
  const second = ask('second', { signal: leaving.signal }).catch(() => 'gone');
  await until('the second to wait', () => events.includes('second asked'));
  leaving.abort();
  expect(await second).toBe('gone');
  await gone;
  const third = ask('third');
  goOn();
  expect([(await first).status, (await third).status]).toEqual([200, 200]);
  expect(events).toContain('third begun');
  expect(events).not.toContain('second begun');
});
