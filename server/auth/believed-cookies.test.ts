import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor, UserId } from './actor.ts';
import { believableUntil, rememberCookies } from './believed-cookies.ts';

const signed = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
const actor = (id: string): Actor => ({ userId: id as UserId, kind: 'user', sessionId: `of ${id}` });

describe('how long a cookie may be believed', () => {
  const cookie = signed({ session: {}, expiresAt: 1234, signature: 'abcd' });

  test('is what the signed cookie says', () => {
    expect(believableUntil(`a=1; session=${cookie}; b=2`, 'session')).toBe(1234);
    expect(believableUntil(`session=${cookie}`, 'session')).toBe(1234);
  });

  test.each([
    ['no cookie', ''],
    ['another name', `my.session=${cookie}; session.0=${cookie}`],
    ['a second one', `session=${cookie}; session=${signed({ expiresAt: 9999 })}`],
    ['no JSON', 'session=eyJ9'],
    ['broken escapes', 'session=%E0%A4%A'],
    ['no end', `session=${signed({ session: {}, signature: 'abcd' })}`],
    ['an end that is no number', `session=${signed({ expiresAt: '1234', signature: 'abcd' })}`],
    ['no signature', `session=${signed({ expiresAt: 1234 })}`],
    ['a signature that is none', `session=${signed({ expiresAt: 1234, signature: '?' })}`],
    ['anything beside it', `session=${cookie}!`],
  ])('is not known for %s', (_, header) => {
    expect(believableUntil(header, 'session')).toBeNull();
  });
});

describe('cookies that were verified', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are known by their exact text, until their end', () => {
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

  test('leave when there are many others', () => {
    const cookies = rememberCookies();
    for (let n = 0; n <= 2_000; n += 1) cookies.keep(`cookie ${n}`, actor(`${n}`), 2_000_000);
    expect([cookies.find('cookie 0'), cookies.find('cookie 1'), cookies.find('cookie 2000')]).toEqual([
      undefined,
      actor('1'),
      actor('2000'),
    ]);
  });
});
