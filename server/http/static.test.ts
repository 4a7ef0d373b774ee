import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { AppEnv } from './env.ts';
import { clientFiles } from './static.ts';

vi.mock('node:fs/promises', async (load) => {
  const fs = await load<typeof import('node:fs/promises')>();
  return { ...fs, readFile: vi.fn(fs.readFile) };
});

test.each(['/app/profile', '/pricing'])('%s is served again after a read that failed', async (path) => {
  const app = new Hono<AppEnv>().route('/', clientFiles).onError((_, c) => c.body(null, 500));
  vi.mocked(readFile).mockRejectedValueOnce(new Error('EMFILE: too many open files'));
  expect((await app.request(path)).status).toBe(500);
  expect((await app.request(path)).status).toBe(200);
});

test('a path without a page is answered with 404 and logged, also in the application', async () => {
  const told: { msg: string; path: string }[] = [];
  const log = pino({}, { write: (line) => void told.push(JSON.parse(line)) });
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('log', log);
      await next();
    })
    .route('/', clientFiles);
  const pages = ['/', '/pricing', '/app', '/app/profile', '/app/Profile/', '/app/gestione-richieste/12'];
  for (const path of pages) expect([path, (await app.request(path)).status]).toEqual([path, 200]);
  expect(told).toEqual([]);

  const unknown = ['/sconosciuta', '/app/sconosciuta', '/app/profile/12', '/app/admin', '/__paths.json'];
  for (const path of unknown)
    expect([path, (await app.request(`${path}?di=Ada`)).status]).toEqual([path, 404]);
  expect(told.map(({ msg, path }) => [msg, path])).toEqual(unknown.map((path) => ['unknown path', path]));
  expect(await (await app.request('/app/sconosciuta')).text()).toBe(await (await app.request('/app')).text());
});
