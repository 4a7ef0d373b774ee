import { startTestCluster } from '#server/testing/cluster.ts';
import { ensureChromium } from '../../scripts/chromium.ts';

/** Installs the browser if needed and starts PostgreSQL for a Playwright run; workers get its address from the environment. */
export default async function setup(): Promise<() => Promise<void>> {
  await ensureChromium();
  const { stop, ...cluster } = await startTestCluster(process.env.DATABASE_URL);
  process.env.TEST_CLUSTER = JSON.stringify(cluster);
  return stop;
}
