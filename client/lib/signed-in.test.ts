import { afterEach, expect, test, vi } from 'vitest';
import { isSomebodySignedIn } from './signed-in.ts';

afterEach(() => vi.unstubAllGlobals());

test('a server error means neither signed in nor signed out', async () => {
  const answering = (body: unknown, status = 200) =>
    vi.stubGlobal('fetch', async () => Response.json(body, { status }));
  answering({ error: { code: 'unavailable', message: 'Riprova tra poco.' } }, 503);
  await expect(isSomebodySignedIn()).rejects.toThrow('503');
  answering({ me: null });
  expect(await isSomebodySignedIn()).toBe(false);
  answering({ me: { id: 'x' } });
  expect(await isSomebodySignedIn()).toBe(true);
});
