import { expect, type Page } from '@playwright/test';

/** Fails when the page can be scrolled sideways. */
export async function expectToFit(page: Page): Promise<void> {
  const html = page.locator('html');
  const [content, screen] = await html.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(content, 'width of the content').toBeLessThanOrEqual(screen ?? 0);
}
