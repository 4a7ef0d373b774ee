import type { CDPSession, Page } from '@playwright/test';

const sessions = new WeakMap<Page, CDPSession>();

const sizes = (standard: number) => ({ fontSizes: { standard, fixed: 13 } });

/**
 * Sets the size of letters in pixels as the settings of a browser do, where it is 16: `rem` grows with it, and so does `em` in
 * media queries.
 */
export async function setLetterSize(page: Page, size: number): Promise<void> {
  const devtools = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, devtools);
  await devtools.send('Page.setFontSizes', sizes(size));
}

/** Undoes `setLetterSize`. In the session that did it, which would do it again for the next document. */
export async function resetLetterSize(page: Page): Promise<void> {
  const devtools = sessions.get(page);
  if (!devtools) return;
  sessions.delete(page);
  await devtools.send('Page.setFontSizes', sizes(16));
  await devtools.detach();
}
