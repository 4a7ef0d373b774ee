import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTestFolder } from '#server/testing/cluster.ts';
import type { AppEnv } from './env.ts';
import { clientFiles, rememberPages, rememberTags } from './static.ts';

/** Makes the next read of a file fail, for the modules that import it by name, too. */
function failNextRead(): void {
  const read = vi.spyOn(fs, 'readFile').mockRejectedValueOnce(new Error('EMFILE: too many open files'));
  syncBuiltinESMExports();
  onTestFinished(() => {
    read.mockRestore();
    syncBuiltinESMExports();
  });
}

test('a file that could not be read is read again by the next request', async () => {
  const [tagOf, isPage] = [rememberTags(), rememberPages()];
  failNextRead();
  await expect(tagOf(import.meta.filename)).rejects.toThrow('EMFILE');
  expect(await tagOf(import.meta.filename)).toMatch(/^"[\w-]{43}"$/);
  failNextRead();
  await expect(isPage('/app/profile')).rejects.toThrow('EMFILE');
  expect(await isPage('/app/profile')).toBe(true);
});

test('a file that has changed has another tag', async () => {
  const folder = await makeTestFolder();
  const [path, tagOf] = [join(folder, 'page.html'), rememberTags()];
  await fs.writeFile(path, 'one');
  const tag = await tagOf(path);
  await fs.writeFile(path, 'two');
  await fs.utimes(path, 1, 1);
  expect(await tagOf(path)).not.toBe(tag);
  await fs.rm(folder, { recursive: true });
});

test('/app/home is the application when the session cannot be looked up', async () => {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      const api = { getSession: () => Promise.reject(new Error('connect ECONNREFUSED')) };
      const verifiedCookies = { find: () => undefined };
      c.set('services', { auth: { api }, verifiedCookies } as unknown as AppEnv['Variables']['services']);
      await next();
    })
    .route('/', clientFiles);
  const answer = await app.request('/app/home');
  expect([answer.status, await answer.text()]).toEqual([200, await (await app.request('/app')).text()]);
});

test('another spelling of the address of a page leads to the page, with what was asked of it', async () => {
  for (const [spelling, address] of [
    ['/Solutions', '/solutions'],
    ['/LOGIN/?modulo=recupero', '/login?modulo=recupero'],
    ['/index.html', '/'],
    ['/contacts/index.html', '/contacts'],
    ['/App/profile', '/app/profile'],
  ] as const) {
    const answer = await clientFiles.request(spelling);
    expect([spelling, answer.status, answer.headers.get('location')]).toEqual([spelling, 301, address]);
  }
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

  const unknown = [
    '/sconosciuta',
    '/Sconosciuta/',
    '//pricing/',
    '/app/sconosciuta',
    '/app/profile/12',
    '/app/admin',
    '/__paths.json',
  ];
  for (const path of unknown)
    expect([path, (await app.request(`${path}?di=Ada`)).status]).toEqual([path, 404]);
  expect(told.map(({ msg, path }) => [msg, path])).toEqual(unknown.map((path) => ['unknown path', path]));
  // A caller may send kilobytes, as often as it likes.
  await app.request(`/${'a'.repeat(500)}`);
  expect(told.at(-1)?.path).toBe(`/${'a'.repeat(199)}`);
  expect(await (await app.request('/app/sconosciuta')).text()).toBe(await (await app.request('/app')).text());
});
