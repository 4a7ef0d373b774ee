/**
 * `npm run bench:journeys`: the journeys through the application that `npm test` makes, on a processor slowed down four times,
 * one after the other, three times each. Prints the slowest presses and keystrokes, and ends with code 1 when the slowest of a
 * journey took more than 100 ms to the next frame in two of its runs.
 */
import { defineConfig } from '@playwright/test';
import type { Slowness } from '../e2e/support/test.ts';
import tests from '../playwright.config.ts';
import { chromiumLaunchOptions } from '../scripts/chromium.ts';

export default defineConfig<Slowness>(tests as object, {
  testDir: '../e2e',
  // The public pages have budgets of their own: `npm run bench:site`.
  testIgnore: ['site.spec.ts', 'screens/**'],
  globalSetup: '../e2e/support/global-setup.ts',
  outputDir: '../test-results/journeys',
  workers: 1,
  repeatEach: 3,
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: './journeys-reporter.ts',
  // The tests go without the optimising compilers.
  use: { slowdown: 4, launchOptions: chromiumLaunchOptions() },
});
