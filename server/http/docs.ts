import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { provider } from '#provider';
import type { AppEnv } from './env.ts';
import { DOCS_POLICY } from './headers.ts';

/** Swagger UI from its package: nothing is fetched from another origin. */
const ASSETS = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${provider.name} API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true });\n`;

/** `/api/docs`: the OpenAPI document as a page that shows every call and lets one try it. */
export const docs = new Hono<AppEnv>()
  .use(async (c, next) => {
    c.header('Content-Security-Policy', DOCS_POLICY);
    c.header('Cache-Control', 'no-cache');
    await next();
  })
  .get('/', (c) => c.html(PAGE))
  .get('/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }))
  .get(
    '/:file{swagger-ui(-bundle)?\\.(css|js)}',
    serveStatic<AppEnv>({ root: ASSETS, rewriteRequestPath: (path) => path.slice(path.lastIndexOf('/')) }),
  );
