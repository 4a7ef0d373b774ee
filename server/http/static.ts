import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type Next } from 'hono';
import { getCookie } from 'hono/cookie';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { SIDEBAR_COLLAPSED, SIDEBAR_COOKIE } from '#contract/sidebar.ts';
import { z } from '#contract/validation.ts';
import { sessionActor } from '#server/auth/session.ts';
import { ROOT } from '#server/root.ts';
import type { AppEnv } from './env.ts';
import { answerError } from './error-answers.ts';
import { PAGE_POLICY } from './headers.ts';

const CLIENT = join(ROOT, 'build/client');

type Tag = { modified: number; tag: Promise<string> };

/**
 * Tells the ETag of a file, a hash of its bytes, so that every process and every build of the same content has the same.
 * It is kept until the file changes; a failure, as with too many open files, is not.
 */
export function rememberTags(): (path: string) => Promise<string> {
  const tags = new Map<string, Tag>();
  return async (path) => {
    const { mtimeMs: modified } = await stat(path);
    const known = tags.get(path);
    if (known?.modified === modified) return known.tag;
    const tag = readFile(path).then((bytes) => `"${createHash('sha256').update(bytes).digest('base64url')}"`);
    tags.set(path, { modified, tag });
    tag.catch(() => tags.delete(path));
    return tag;
  };
}

const tagOf = rememberTags();

/**
 * Sets the headers of a file. Files with hashed names never change; pages and the service worker are always
 * revalidated; the rest (icons, sitemap) may be an hour old.
 */
async function describeFile(found: string, c: Context<AppEnv>): Promise<void> {
  // `found` may be the compressed copy of the file.
  const path = found.replace(/\.(br|gz|zst)$/, '');
  if (path.endsWith('.html') || path.endsWith('/service-worker.js')) {
    c.header('Cache-Control', 'no-cache');
    c.header('Content-Security-Policy', PAGE_POLICY);
  } else if (path.includes('/assets/')) {
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
  } else {
    c.header('Cache-Control', 'public, max-age=3600');
  }
  c.header('ETag', await tagOf(found));
}

const files = serveStatic<AppEnv>({ root: CLIENT, precompressed: true, onFound: describeFile });

function page(path: string) {
  return serveStatic<AppEnv>({ root: CLIENT, path, precompressed: true, onFound: describeFile });
}

const application = page('__spa-fallback.html');
const home = page('__home.html');
const homeBesideIcons = page('__home-collapsed.html');

/** Whether the side menu was left collapsed to icons on this device. */
function isMenuCollapsed(c: Context<AppEnv>): boolean {
  const onHttps = c.get('services').env.publicUrl.startsWith('https:');
  return getCookie(c, SIDEBAR_COOKIE, onHttps ? 'host' : undefined) === SIDEBAR_COLLAPSED;
}

/** Answers 404 with `document`, and logs the path. */
function unknown(document: typeof application) {
  return async (c: Context<AppEnv>, next: Next): Promise<Response | undefined> => {
    c.get('log').info({ path: c.req.path.slice(0, 200) }, 'unknown path');
    const found = await document(c, next);
    return found instanceof Response
      ? new Response(found.body, { status: 404, headers: found.headers })
      : undefined;
  };
}

const notFound = unknown(page('404/index.html'));
/** The application shows the error itself, in its own frame. */
const notFoundInApplication = unknown(application);

/**
 * Tells whether the site or the application has a page at a path, according to the list that the build wrote. The list is read
 * once, unless that fails.
 */
export function rememberPages(): (path: string) => Promise<boolean> {
  let pages: Promise<RegExp[]> | undefined;
  return async (path) => {
    pages ??= readFile(join(CLIENT, '__paths.json'), 'utf8').then((text) =>
      z
        .array(z.string())
        .parse(JSON.parse(text))
        // Matched like the client's router: in any case, with or without a slash at the end.
        .map((pattern) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i')),
    );
    pages.catch(() => {
      pages = undefined;
    });
    return (await pages).some((pattern) => pattern.test(path));
  };
}

const isPage = rememberPages();

/**
 * Leads from another spelling of a page's address to the page: in capitals, as the keyboard of a phone begins a word, with a
 * slash at the end, or with the name of its file. The client's router would read it otherwise than the files are found, and
 * replace the page shown by another once it is used.
 */
async function toOneAddress(c: Context<AppEnv>, next: Next): Promise<Response | undefined> {
  const { pathname, search } = new URL(c.req.url);
  const address = pathname.toLowerCase().replace(/\/(index\.html)?$/, '') || '/';
  if (address !== pathname && (await isPage(address))) return c.redirect(`${address}${search}`, 301);
  await next();
}

/**
 * The built client: prerendered pages, hashed assets, the single-page application for everything under `/app`, and the
 * 404 page for the rest. A path without a page, also in the application, is answered 404 and logged (spec §2). Files
 * are sent as compressed by the build.
 */
export const clientFiles = new Hono<AppEnv>()
  .use(async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return answerError(c, 'not_found');
    await next();
  })
  // A browser applies the headers of a "not modified" answer to the page it has cached; another policy would block that
  // page. Cookies belong to the answer itself: a session is renewed once a day, by whichever request comes first.
  .use(etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy', 'set-cookie'] }))
  // These documents are served at other addresses, or at none of their own.
  .get('/404/*', notFound)
  .get('/:document{__.+}', notFound)
  .get('/app', application)
  .get('/app/home', async (c, next) => {
    c.header('Vary', 'Cookie', { append: true });
    // If the database does not answer, the application itself reports what is wrong.
    const actor = await sessionActor(c).catch(() => null);
    // Redirecting here keeps accounts without a Home from seeing its header first.
    if (actor?.kind === 'invoiceAdmin') return c.redirect('/app/admin/invoices');
    if (!actor) return application(c, next);
    return isMenuCollapsed(c) ? homeBesideIcons(c, next) : home(c, next);
  })
  .get('/app/*', async (c, next) =>
    (await isPage(c.req.path)) ? application(c, next) : notFoundInApplication(c, next),
  )
  .get('*', toOneAddress, files)
  .get('*', notFound);
