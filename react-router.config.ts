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
  prerender: { paths: [...publicPaths, '/404'], concurrency: 2 },
} satisfies Config;
