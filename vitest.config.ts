import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,contract,client,scripts}/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
        },
      },
    ],
    pool: 'forks',
    // Each file has a database and an application of its own; loading the modules anew would prove nothing more.
    isolate: false,
    // One more than the two processors that a run is made for: tests that wait leave them to others.
    maxWorkers: 3,
    // Far above what the slowest test needs: a busy machine must not fail one, only a hanging test may.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default'],
  },
});
