import { test as base, expect, type Page } from '@playwright/test';
import type { TestCluster } from '#server/testing/cluster.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { type RunningApp, startApp } from './app.ts';
import { type BrowserProblems, collectBrowserProblems, openWindow } from './browser-problems.ts';
import { openSlowPages } from './slow-pages.ts';
import { openWindows, type Windows } from './windows.ts';

type WorkerFixtures = {
  windows: Windows;
  /** The running product, shared by the tests of a worker: each test creates its own users. */
  app: RunningApp;
};

/** Option of a run: slow the processor down by this factor and record every press. */
export type Slowness = { slowdown: number };

type TestFixtures = {
  /** Records the presses of a page if the run is slowed down, and attaches them to the test's result as 'presses'. */
  slowed(page: Page): Promise<void>;
  /** A page of a signed-out visitor, with cookies and storage of its own, until the test ends. */
  borrow(): Promise<Page>;
  /** Fails the test when a page caused a problem that the test did not announce. */
  problems: BrowserProblems;
  /** A page with cookies and storage of its own, signed in as `user`. */
  openAs(user: TestUser): Promise<Page>;
};

/** Playwright's `test` on the running product; `page` belongs to a signed-out visitor. */
export const test = base.extend<TestFixtures & Slowness, WorkerFixtures>({
  slowdown: [1, { option: true }],
  app: [
    async ({ browserName: _ }, use) => {
      const app = await startApp(testCluster());
      await use(app);
      await app.stop();
    },
    { scope: 'worker' },
  ],
  windows: [
    async ({ app, browser }, use) => {
      await use(openWindows(browser, app.origin));
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => {
    await use(app.origin);
  },
  problems: [
    async ({ app }, use) => {
      const problems = collectBrowserProblems(app.origin);
      await use(problems);
      expect(problems.remaining(), 'problems in the browser').toEqual([]);
    },
    { auto: true },
  ],
  slowed: async ({ slowdown }, use, testInfo) => {
    if (slowdown === 1) return use(async () => undefined);
    const pages = openSlowPages(slowdown);
    await use(pages.add);
    await testInfo.attach('presses', {
      body: JSON.stringify(pages.presses()),
      contentType: 'application/json',
    });
    expect(pages.pressedBehind(), 'pressed in a page that was not brought to the front').toEqual([]);
  },
  borrow: async (
    { browser, javaScriptEnabled, problems, serviceWorkers, slowdown, slowed, viewport, windows },
    use,
  ) => {
    // Wiping a window cannot clear the storage of a service worker, and needs scripts. In a slowed run every window is new:
    // one that others cover is not always drawn.
    const reusable = serviceWorkers === 'block' && javaScriptEnabled !== false && slowdown === 1;
    const returns: (() => Promise<void>)[] = [];
    await use(async () => {
      const page = reusable ? await windows.take(viewport) : await openWindow(browser);
      const stopWatching = problems.watch(page.context());
      await slowed(page);
      returns.push(async () => {
        stopWatching();
        if (reusable) await windows.giveBack(page);
        else await page.context().close();
      });
      return page;
    });
    for (const giveBack of returns) await giveBack();
  },
  page: async ({ borrow }, use) => {
    await use(await borrow());
  },
  openAs: async ({ app, borrow }, use) => {
    await use(async (user) => {
      const page = await borrow();
      await app.signIn(page.context(), user);
      return page;
    });
  },
});

function testCluster(): TestCluster {
  const described = process.env.TEST_CLUSTER;
  if (described === undefined) {
    throw new Error('TEST_CLUSTER is set by the global setup');
  }
  return JSON.parse(described);
}

export { expect };
