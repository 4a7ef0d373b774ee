import { expect, type Page } from '@playwright/test';

/** Waits until a page of the site is hydrated, which its first use starts. */
export async function untilHydrated(page: Page): Promise<void> {
  // The router takes over scroll restoration as its last step.
  await expect.poll(() => page.evaluate('history.scrollRestoration')).toBe('manual');
}

/** Moves the pointer over a page of the site, which starts its hydration, and waits until it is hydrated. */
export async function wake(page: Page): Promise<void> {
  await page.mouse.move(20, 200);
  await page.mouse.move(24, 204);
  await untilHydrated(page);
}
