import { expect, type Page } from '@playwright/test';

/** Touches a page of the site, as anybody who uses it does, and waits until React has taken it over. */
export async function wake(page: Page): Promise<void> {
  await page.mouse.move(20, 200);
  await page.mouse.move(24, 204);
  // The router takes the scroll position over as the last thing it does.
  await expect.poll(() => page.evaluate('history.scrollRestoration')).toBe('manual');
}
