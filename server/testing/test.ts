import { test as base, inject } from 'vitest';
import { startTestServer } from './server.ts';

/**
 * Vitest's `test`, with one running application for all the tests of a file. `variables` are further environment
 * variables of that application: a file that needs some says `test.override('variables', { … })`.
 */
export const test = base
  .extend('variables', { scope: 'file' }, (): Record<string, string> => ({}))
  .extend('server', { scope: 'file' }, async ({ variables }, { onCleanup }) => {
    const server = await startTestServer(inject('testCluster'), variables);
    onCleanup(server.stop);
    return server;
  });
