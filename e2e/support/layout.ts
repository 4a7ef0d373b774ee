import { expect, type Page } from '@playwright/test';

/** Fails when the page, or a table in it, can be scrolled sideways. */
export async function expectToFit(page: Page): Promise<void> {
  const html = page.locator('html');
  const [content, screen] = await html.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(content, 'width of the content').toBeLessThanOrEqual(screen ?? 0);
  const cut = await page
    .locator('main :has(> table)')
    .evaluateAll((frames) =>
      frames
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
        .map(
          ({ scrollWidth, clientWidth, textContent }) => `${scrollWidth} > ${clientWidth}: ${textContent}`,
        ),
    );
  expect(cut, 'tables wider than their place').toEqual([]);
}
