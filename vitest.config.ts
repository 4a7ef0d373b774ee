import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,client,scripts}/**/*.test.{ts,tsx}'],
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
    maxWorkers: 2,
    // A test that hangs is a failure of its own; the slowest honest one starts a server and hashes passwords.
    testTimeout: 15_000,
    hookTimeout: 30_000,
    reporters: ['default'],
  },
});
