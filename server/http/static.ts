import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from './env.ts';
import { contentSecurityPolicy } from './headers.ts';

const ROOT = join(import.meta.dirname, '../../build/client');
const HASHED = '/assets/';

const cspSchema = z.record(z.string(), z.array(z.string()));

/** Inline-script hashes of each HTML file, as the build wrote them; a server without a built client serves none. */
function readScriptHashes(): Record<string, string[]> {
  try {
    return cspSchema.parse(JSON.parse(readFileSync(join(ROOT, 'csp.json'), 'utf8')));
  } catch {
    return {};
  }
}

/**
 * The built client: prerendered pages, hashed assets (immutable), the single-page application for everything under
 * `/app`, and the 404 page. Files are answered as the build compressed them.
 */
export function clientFiles() {
  const hashes = readScriptHashes();
  const page = (file: string) =>
    serveStatic<AppEnv>({
      root: ROOT,
      path: file,
      precompressed: true,
      onFound: (_, c) => describePage(file, c.header),
    });

  function describePage(file: string, header: (name: string, value: string) => void) {
    header('Cache-Control', 'no-cache');
    header('Content-Security-Policy', contentSecurityPolicy(hashes[file.replace(/^\//, '')] ?? []));
  }

  return new Hono<AppEnv>()
    .use(async (c, next) => {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return c.notFound();
      await next();
    })
    .get('/app', page('__spa-fallback.html'))
    .get('/app/*', page('__spa-fallback.html'))
    .use(
      serveStatic<AppEnv>({
        root: ROOT,
        precompressed: true,
        onFound: (path, c) => {
          const file = path.replaceAll('\\', '/');
          if (file.includes(HASHED)) c.header('Cache-Control', 'public, max-age=31536000, immutable');
          else if (file.endsWith('.html'))
            describePage(file.slice(file.indexOf('build/client') + 13), c.header);
          else c.header('Cache-Control', 'public, max-age=3600');
        },
      }),
    )
    .get('*', async (c) => {
      c.get('log').info({ path: c.req.path.slice(0, 200) }, 'unknown path');
      const response = await page('404/index.html')(c, async () => {});
      return response instanceof Response
        ? new Response(response.body, { status: 404, headers: response.headers })
        : c.notFound();
    });
}
