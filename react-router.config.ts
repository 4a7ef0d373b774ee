import type { Config } from '@react-router/dev/config';
import { publicPaths } from './client/site/paths.ts';

/**
 * Public pages are written to HTML at build time; everything under /app is a single-page application served from
 * `__spa-fallback.html`. There is no rendering at run time.
 */
export default {
  appDirectory: 'client',
  buildDirectory: 'build',
  ssr: false,
  // One at a time: they share a thread, and a page that waits for another may wait longer than the router allows.
  prerender: { paths: [...publicPaths, '/404'], concurrency: 1 },
} satisfies Config;
