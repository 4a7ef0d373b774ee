import { expect, test } from 'vitest';
import { isLoadingInBackground, loadInBackground } from './background-code.ts';

test('code counts as loading in the background until it has loaded or failed', async () => {
  const code = { start: () => undefined };
  const there = loadInBackground(async () => code);
  const missing = loadInBackground(() => Promise.reject(new TypeError('Failed to fetch a module')));
  expect(isLoadingInBackground()).toBe(true);
  expect(await Promise.all([there, missing])).toEqual([code, null]);
  expect(isLoadingInBackground()).toBe(false);
});
