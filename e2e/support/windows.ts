import type { Browser, Page, ViewportSize } from '@playwright/test';

/** Windows that tests use one after the other, each with cookies and storage of its own. */
export type Windows = {
  /** An empty window of that size, as if just opened; the caller has it until it is given back. */
  take(viewport: ViewportSize | null): Promise<Page>;
  giveBack(page: Page): Promise<void>;
};

/**
 * Reuses windows. A new one costs two seconds of processor time until it shows the application, more than most journeys need
 * otherwise: it starts a browser of its own and compiles the scripts again. A used window is wiped instead; it keeps only the
 * browser's cache of files that never change.
 *
 * @param origin address of the product, the only one whose pages the windows have shown
 */
export function openWindows(browser: Browser, origin: string): Windows {
  const free: Page[] = [];
  /** Windows in which a test has replaced the clock; it cannot be restored, so they are not reused. */
  const timed = new WeakSet<Page>();
  return {
    async take(viewport) {
      const used = free.pop();
      if (used) return wiped(used, origin, viewport);
      const page = await (await browser.newContext()).newPage();
      const install = page.clock.install.bind(page.clock);
      page.clock.install = async (options) => {
        timed.add(page);
        await install(options);
      };
      return page;
    },
    async giveBack(page) {
      if (timed.has(page)) await page.context().close();
      else if (!page.isClosed()) free.push(page);
    },
  };
}

async function wiped(page: Page, origin: string, viewport: ViewportSize | null): Promise<Page> {
  const context = page.context();
  await context.setOffline(false);
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    ...context.pages().map((other) => other !== page && other.close()),
  ]);
  // A document of the same origin without a script: nothing of the page before runs on.
  await page.goto(`${origin}/healthz`);
  await page.evaluate(() => sessionStorage.clear());
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devtools.send('Page.resetNavigationHistory');
  await devtools.detach();
  await Promise.all([context.clearCookies(), context.clearPermissions()]);
  await page.emulateMedia({
    media: null,
    colorScheme: 'light',
    forcedColors: null,
    reducedMotion: 'reduce',
    contrast: null,
  });
  if (viewport) await page.setViewportSize(viewport);
  await page.bringToFront();
  return page;
}
