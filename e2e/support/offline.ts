import { expect, type Page } from '@playwright/test';

/**
 * Waits until a page of a signed-in account has loaded its last code, that for reading offline, which it asks for three seconds
 * after everything else: a network that is cut before would fail it, at an unforeseeable moment.
 */
export async function untilReadableOffline(page: Page): Promise<void> {
  const isKept = async () => (await indexedDB.databases()).some(({ name }) => name === 'trasvia-offline');
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
}
