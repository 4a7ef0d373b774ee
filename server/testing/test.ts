import { test as base, inject } from 'vitest';
import { startTestServer } from './server.ts';

/**
 * Vitest's `test`, with one running application for all tests of a file, started with additional environment variables. Files
 * share their worker's modules, so each creates its own `test` instead of changing a shared one.
 */
export function testWith(variables: Record<string, string>) {
  return base
    .extend('variables', { scope: 'file' }, () => variables)
    .extend('server', { scope: 'file' }, async ({ variables: given }, { onCleanup }) => {
      const server = await startTestServer(inject('testCluster'), given);
      onCleanup(server.stop);
      return server;
    });
}

/** The same without additional variables, for most files. */
export const test = testWith({});
