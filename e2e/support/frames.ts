/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Until the page has drawn what it has to show by now. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
