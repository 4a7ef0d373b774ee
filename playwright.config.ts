import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from './scripts/chromium.ts';

/**
 * Without the browser's optimising compilers: the page of a journey does not run long enough to earn back what they cost. The
 * baseline compiler stays. Benchmarks of speed keep all of them.
 */
const unoptimised = ['--js-flags=--no-maglev --no-turbofan'];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/playwright',
  globalSetup: './e2e/support/global-setup.ts',
  // A third on two processors finds none free, and makes the run longer.
  workers: Math.min(3, availableParallelism()),
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // Far above what the slowest journey needs: a busy machine must not fail one, only a hanging test may.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    // Transitions would let a check look at a colour or a place that is only passing by.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: chromiumLaunchOptions(unoptimised),
    // It would fetch the whole application for each test; the one about reading off line allows it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      // What does not depend on the width of the screen is proved once.
      grepInvert: /@once/,
      use: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    },
  ],
});
