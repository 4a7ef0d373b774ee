/**
 * `npm run bench:journeys`: the journeys of the application that `npm test` makes, with a processor four times slower, one after
 * the other. Tells the slowest presses and letters of all, and ends with code 1 when one took more than 100 ms to the next frame.
 * Build first: `npm run build`.
 */
import { defineConfig } from '@playwright/test';
import type { Slowness } from '../e2e/support/test.ts';
import tests from '../playwright.config.ts';

export default defineConfig<Slowness>(tests as object, {
  testDir: '../e2e',
  // The public pages have budgets of their own: `npm run bench:site`.
  testIgnore: ['site.spec.ts', 'screens/**'],
  globalSetup: '../e2e/support/global-setup.ts',
  outputDir: '../test-results/journeys',
  workers: 1,
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: './journeys-reporter.ts',
  use: { slowdown: 4 },
});
