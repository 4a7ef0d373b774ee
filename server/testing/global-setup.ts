import type { TestProject } from 'vitest/node';
import { startTestCluster, type TestCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster;
  }
}

/** Starts the PostgreSQL of a Vitest run: an embedded one, or the one named by `DATABASE_URL`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...testCluster } = await startTestCluster(process.env.DATABASE_URL);
  project.provide('testCluster', testCluster);
  return stop;
}
