import { test as base, inject } from 'vitest';
import { startTestServer } from './server.ts';

/**
 * Vitest's `test`, with one running application for all the tests of a file, that got further environment variables. Files
 * share their worker's modules, so each makes a `test` of its own rather than changing one that others use.
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

/** The same, as most files need it. */
export const test = testWith({});
