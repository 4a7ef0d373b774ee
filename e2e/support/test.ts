import { test as base, expect, type Page } from '@playwright/test';
import type { TestCluster } from '#server/testing/cluster.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { type RunningApp, startApp } from './app.ts';
import { type BrowserProblems, collectBrowserProblems } from './browser-problems.ts';
import { openWindows, type Windows } from './windows.ts';

type WorkerFixtures = {
  windows: Windows;
  /** The running product; the tests of a worker share it, so each makes its own users. */
  app: RunningApp;
};

type TestFixtures = {
  /** Ends the test as a failure when a page caused a problem that the test did not announce. */
  problems: BrowserProblems;
  /** A page with cookies and storage of its own, signed in as `user`. */
  openAs(user: TestUser): Promise<Page>;
};

/** Playwright's `test` on the running product; `page` belongs to a visitor who is not signed in. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
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
  context: async ({ context, problems }, use) => {
    problems.watch(context);
    await use(context);
  },
  openAs: async ({ app, browser, problems, serviceWorkers, viewport, windows }, use) => {
    const returns: (() => void)[] = [];
    await use(async (user) => {
      // What a service worker keeps is beyond the reach of whoever wipes a window.
      const reusable = serviceWorkers === 'block';
      const page = reusable ? await windows.take(viewport) : await (await browser.newContext()).newPage();
      const stopWatching = problems.watch(page.context());
      returns.push(() => {
        stopWatching();
        if (reusable) windows.giveBack(page);
      });
      await app.signIn(page.context(), user);
      return page;
    });
    for (const giveBack of returns) giveBack();
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
