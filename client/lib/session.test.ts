import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { ApiError } from './api.ts';
import { COPIED_AT, COPY_OWNER, ME } from './copy-keys.ts';
import {
  clearEndedSession,
  displayName,
  endedSessionText,
  meQuery,
  noticeEndedSession,
  rememberReturnTo,
  takeReturnTo,
} from './session.ts';

afterEach(() => vi.unstubAllGlobals());

test('an account is called by its username, else its full name, else its address (spec §2)', () => {
  const me = { username: 'anna', fullName: 'Anna Bruni', email: 'a.bruni@example.com' };
  expect(displayName(me)).toBe('anna');
  expect(displayName({ ...me, username: '' })).toBe('Anna Bruni');
  expect(displayName({ ...me, username: '', fullName: '' })).toBe('a.bruni');
  expect(displayName({ username: '', fullName: '', email: '' })).toBe('Utente');
});

test.for([
  ['/app/profile', '/app/profile'],
  ['//altrove.example/app/', null],
  ['https://altrove.example/app/', null],
  ['/login', null],
] as const)('after a login, the remembered page %s leads to %s, once', ([remembered, page]) => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  rememberReturnTo(remembered);
  expect(takeReturnTo('anna')).toBe(page);
  expect(takeReturnTo('anna')).toBeNull();
  // Where the session of an account ended, only that account goes back to.
  rememberReturnTo(remembered, 'anna');
  expect(takeReturnTo('anna')).toBe(page);
  rememberReturnTo(remembered, 'anna');
  expect(takeReturnTo('bruno')).toBeNull();
  expect(takeReturnTo('anna')).toBeNull();
});

test('without a network and with a damaged offline copy, the session fails because of the network', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === COPY_OWNER ? 'anna' : null) });
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('Internal error opening backing store.');
    },
  });
  await expect(new QueryClient().fetchQuery({ ...meQuery, retry: false })).rejects.toBeInstanceOf(ApiError);
});

test('once the server answers again, what was read from the offline copy is read anew', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ me: null }));
  const client = new QueryClient();
  client.setQueryData(COPIED_AT, 1);
  client.setQueryData(['invoices', 'list'], []);
  await client.fetchQuery(meQuery);
  expect(client.getQueryData(COPIED_AT)).toBeNull();
  expect(client.getQueryState(['invoices', 'list'])?.isInvalidated).toBe(true);
});

test('the login says what could not be done, and nothing about a session that ended by itself', () => {
  const client = new QueryClient();
  const ended = (message: string) =>
    noticeEndedSession(client, new ApiError({ status: 401, code: 'unauthenticated', message }));
  client.setQueryData(ME, { id: 'anna' });
  noticeEndedSession(client, new ApiError({ status: 409, code: 'conflict', message: 'Non ora' }));
  noticeEndedSession(client, new Error('unauthenticated'));
  expect(client.getQueryData(ME)).toEqual({ id: 'anna' });
  ended(ERRORS.unauthenticated.message);
  expect(client.getQueryData(ME)).toBeNull();
  expect(endedSessionText()).toBeNull();
  ended('Devi essere autenticato per creare una fattura');
  ended(ERRORS.unauthenticated.message);
  expect(endedSessionText()).toBe('Devi essere autenticato per creare una fattura');
  clearEndedSession();
  expect(endedSessionText()).toBeNull();
});
