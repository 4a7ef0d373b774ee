import type { Browser, Page, ViewportSize } from '@playwright/test';
import { openWindow } from './browser-problems.ts';
import { resetLetterSize } from './letters.ts';

/** Windows that tests reuse one after the other, each with cookies and storage of its own. */
export type Windows = {
  /** An empty window of that size, as if just opened, until it is given back. */
  take(viewport: ViewportSize | null): Promise<Page>;
  giveBack(page: Page): Promise<void>;
};

/**
 * Reuses windows. A new one costs two seconds of processor time until it shows the application, more than the rest of most
 * journeys: it starts its own browser process and compiles the scripts again. A used window is wiped and keeps only the cache
 * of files that never change.
 *
 * @param origin address of the product; the windows show no other pages
 */
export function openWindows(browser: Browser, origin: string): Windows {
  const free: Page[] = [];
  /** Windows whose later documents would start with a replaced clock or another script of a test. */
  const altered = new WeakSet<Page>();
  return {
    async take(viewport) {
      const used = free.pop();
      if (used) return wiped(used, origin, viewport);
      const page = await openWindow(browser);
      const alter = () => altered.add(page);
      before(page.clock, ['install', 'setFixedTime', 'setSystemTime'], alter);
      // These install a replaced clock, too, if there is none yet.
      before(page.clock, ['fastForward', 'pauseAt', 'resume', 'runFor'], alter);
      before(page, ['addInitScript', 'exposeBinding', 'exposeFunction'], alter);
      before(page.context(), ['addInitScript', 'exposeBinding', 'exposeFunction'], alter);
      return page;
    },
    async giveBack(page) {
      if (altered.has(page)) await page.context().close();
      else if (!page.isClosed()) free.push(page);
    },
  };
}

/** Makes `target` call `act` before each of these methods. */
function before<Target extends object>(
  target: Target,
  methods: readonly (keyof Target & string)[],
  act: () => void,
): void {
  for (const name of methods) {
    const method = target[name];
    if (typeof method !== 'function') throw new TypeError(`${name} is not a method`);
    Object.assign(target, {
      [name]: (...args: unknown[]) => {
        act();
        return method.apply(target, args);
      },
    });
  }
}

async function wiped(page: Page, origin: string, viewport: ViewportSize | null): Promise<Page> {
  const context = page.context();
  await context.setOffline(false);
  await resetLetterSize(page);
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    ...context.pages().map((other) => other !== page && other.close()),
  ]);
  // A document of the same origin without scripts: nothing of the previous page keeps running.
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
