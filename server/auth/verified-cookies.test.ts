import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor, UserId } from './actor.ts';
import { rememberCookies, trustedUntil } from './verified-cookies.ts';

const signed = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
const actor = (id: string): Actor => ({ userId: id as UserId, kind: 'user', sessionId: `of ${id}` });

describe('the expiry of a signed cookie', () => {
  const cookie = signed({ session: {}, expiresAt: 1234, signature: 'abcd' });

  test('is read from the cookie', () => {
    expect(trustedUntil(`a=1; session=${cookie}; b=2`, 'session')).toBe(1234);
    expect(trustedUntil(`session=${cookie}`, 'session')).toBe(1234);
  });

  test.each([
    ['no cookie', ''],
    ['another name only', `my.session=${cookie}; session.0=${cookie}`],
    ['two of the same name', `session=${cookie}; session=${signed({ expiresAt: 9999 })}`],
    ['invalid JSON', 'session=eyJ9'],
    ['broken escapes', 'session=%E0%A4%A'],
    ['no expiry', `session=${signed({ session: {}, signature: 'abcd' })}`],
    ['an expiry that is not a number', `session=${signed({ expiresAt: '1234', signature: 'abcd' })}`],
    ['no signature', `session=${signed({ expiresAt: 1234 })}`],
    ['an invalid signature', `session=${signed({ expiresAt: 1234, signature: '?' })}`],
    ['anything after it', `session=${cookie}!`],
  ])('is unknown with %s', (_, header) => {
    expect(trustedUntil(header, 'session')).toBeNull();
  });

  test('is read with the padding of base64, which a client may have added', () => {
    expect(trustedUntil(`session=${cookie}%3D%3D`, 'session')).toBe(1234);
  });

  test('is not sought in the end of many equals signs, which takes the square of their number', () => {
    expect(trustedUntil(`session=${cookie}${'='.repeat(400_000)}x`, 'session')).toBeNull();
  });
});

describe('verified cookies', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are found by their exact text until they expire', () => {
    const cookies = rememberCookies();
    cookies.keep('one', actor('a'), 1_060_000);
    cookies.keep('two', actor('b'), 1_000_000);
    expect([cookies.find('one'), cookies.find('one '), cookies.find('two')]).toEqual([
      actor('a'),
      undefined,
      undefined,
    ]);
    vi.setSystemTime(1_059_999);
    expect(cookies.find('one')).toEqual(actor('a'));
    vi.setSystemTime(1_060_000);
    expect(cookies.find('one')).toBeUndefined();
  });

  test('are dropped, oldest first, when there are more than 2,000', () => {
    const cookies = rememberCookies();
    for (let n = 0; n <= 2_000; n += 1) cookies.keep(`cookie ${n}`, actor(`${n}`), 2_000_000);
    expect([cookies.find('cookie 0'), cookies.find('cookie 1'), cookies.find('cookie 2000')]).toEqual([
      undefined,
      actor('1'),
      actor('2000'),
    ]);
  });
});
