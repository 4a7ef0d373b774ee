/**
 * Turns React Router's build into what is served; `npm run build` runs it right after that build.
 *
 * - Critical CSS is inlined in each page; its `<link>`s stay, disabled, because React expects them. On public pages it leaves
 *   out the fonts to fetch, which `client/site/wake.ts` requests after the first paint, and what few paints need.
 * - The router's own inline scripts become one module per page; on public pages `client/site/wake.ts` starts it at the
 *   first sign of use, or on /login when idle; under /app it starts at once. No script remains inline: the
 *   Content-Security-Policy refuses those.
 * - Home gets a separate document for users with a session: the application's, which first shows that page's head
 *   (`client/app/shell/first-view.tsx`), painted before any code is requested.
 * - The service worker of the application gets the list of the files it keeps.
 * - The addresses of all pages are listed, so that the server can lead to them from other spellings, and answer 404 to any other.
 * - sitemap.xml and robots.txt (from the list of prerendered pages) and the manifest of the installed app are written.
 * - Every text file gets a brotli and a gzip copy beside it.
 */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { provider } from '#provider';
import { publicPaths } from '../client/site/paths.ts';
import { readApplicationPaths, readRouteManifest } from './route-manifest.ts';

const root = join(import.meta.dirname, '..', 'build', 'client');
/** The document for everything under /app. */
const APPLICATION_PAGE = '__spa-fallback.html';
/** The path at which the server answers with it. */
const APPLICATION_PATH = '/app';
/** The same document for Home; its first view leaves less room for a side menu in icon mode. */
const HOME_PAGE = '__home.html';
const HOME_PAGE_BESIDE_ICONS = '__home-collapsed.html';
const inlineScript = /<script(?<attributes>(?: [^>]*)?)>(?<body>[\s\S]*?)<\/script>/g;
const stylesheet = /<link rel="stylesheet" href="(?<href>[^"]+)"\/>/g;
const modulePreload = /<link rel="modulepreload" href="(?<href>[^"]+)"\/>/g;

/** Writes `text` under its own hash in /assets and returns its address. */
async function writeAsset(name: string, text: string, type: 'js' | 'css' = 'js'): Promise<string> {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const href = `/assets/${name}-${hash}.${type}`;
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(root, href), text);
  return href;
}

/** Bundles one file and its imports into a classic script, and replaces the names of `constants` with their values. */
async function compileScript(input: string, constants: Record<string, unknown> = {}): Promise<string> {
  const define = Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]);
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: Object.fromEntries(define),
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  });
  const output = 'output' in result ? result.output : [];
  const chunk = output.find((part) => part.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error(`${input} gave no code`);
  return chunk.code;
}

/** Moves the inline scripts of one page into a module; returns the page without them, and the module's code. */
function extractScripts(html: string): { html: string; code: string } {
  const parts: string[] = [];
  const emptied = html.replace(inlineScript, (whole: string, attributes: string, body: string) => {
    if (attributes.includes('application/ld+json')) return whole;
    // Drops the router's early scroll restoration, which the browser does itself on a complete page.
    if (body.includes('__reactRouter')) parts.push(body);
    // React hydrates the element and never compares its text.
    return `<script${attributes}></script>`;
  });
  return { html: emptied, code: parts.join('\n') };
}

/** Style sheets for what a public page shows only once its script runs; they are fetched then. */
const late = /\/(route-error|first-view|common)-[^/]+\.css#?$/;

/** Style for paper, forced colours, strong contrast and windows of a large zoom: few first paints need it. */
const rare =
  /@media (?:print|\(forced-colors:active\)|\(prefers-contrast:more\)|\(width<=19em\))\{(?:[^{}]*\{[^{}]*\})*\}/g;
/** Where one of these holds, a page waits for its sheet; elsewhere it is fetched after everything else. */
const RARE = 'print, (forced-colors: active), (prefers-contrast: more), (width <= 19em)';

/** A font face to fetch; the fallbacks are system fonts without an address. */
const fetchedFace = /@font-face\{[^}]*url\((?<file>[^)]*)\)[^}]*\}/g;
const headingFace = '/bricolage-grotesque-italian-';
const facePreload = /<link rel="preload" as="font"[^>]*>/g;
/** Wider than an upright phone: the connection can also take the text font with the page. */
const WIDE = '(min-width: 48em)';

/**
 * Splits the style of a public page: it keeps the font of headings; the other fonts are separate, because on a phone they must
 * not compete with the first paint. Without scripts they come with the page. A page waits a moment for fonts that come with
 * it, and is never laid out again when one arrives later.
 */
function withFacesApart(html: string, css: string): string {
  const apart: string[] = [];
  const style = css
    .replaceAll('font-display:swap', 'font-display:optional')
    .replace(fetchedFace, (face: string, file: string) => {
      if (file.includes(headingFace)) return face;
      apart.push(face);
      return '';
    });
  const faces = apart.join('');
  const styles = [
    `<style>${style}</style>`,
    `<style media="${WIDE}" data-faces="">${faces}</style>`,
    `<noscript><style>${faces}</style></noscript>`,
  ].join('');
  return html
    .replace(facePreload, (link) =>
      link.includes(headingFace) ? link : link.replace('/>', ` media="${WIDE}"/>`),
    )
    .replace('</head>', () => `${styles}</head>`);
}

/**
 * Keeps a public page from being painted while a part of it is still on its way: the menu and whatever is centred would move
 * when the rest arrives.
 */
const WHOLE_PAGE = '<link rel="expect" href="#contenuto" blocking="render"/>';

/** The link to the manifest is needed only to install the application; React adds it again when it hydrates the page. */
const manifestLink = /<link rel="manifest"[^>]*>/;

async function inlineStyles(html: string, isApplication: boolean): Promise<string> {
  const canWait = (href: string) => !isApplication && late.test(href);
  // The router appends an empty fragment to a sheet that several routes share, to distinguish their links.
  const sheets = new Set(
    [...html.matchAll(stylesheet)].map((match) => (match.groups?.href ?? '').replace(/#$/, '')),
  );
  const critical = [...sheets].filter((href) => !canWait(href));
  const css = (await Promise.all(critical.map((href) => readFile(join(root, href), 'utf8')))).join('');
  // A disabled sheet is not fetched, but the router finds it and loads no second copy.
  const linked = html.replace(
    stylesheet,
    (link, href: string) => `${link.slice(0, -2)} disabled=""${canWait(href) ? ' data-late=""' : ''}/>`,
  );
  if (isApplication) return linked.replace('</head>', () => `<style>${css}</style></head>`);
  const apart = await writeAsset('rare', css.match(rare)?.join('') ?? '', 'css');
  return withFacesApart(linked, css.replace(rare, '')).replace(
    '</head>',
    () => `<link rel="stylesheet" href="${apart}" media="${RARE}"/></head>`,
  );
}

/** The routes around every page of the application. */
const SHELL = ['app/shell/layout', 'app/shell/pages'];

/** Preloads for what these routes need, which would otherwise be requested step by step as code arrives. */
function preloadsOf(ids: readonly string[], html: string): string {
  const { routes } = readRouteManifest(root);
  const needed = ids.flatMap((id) => routes[id] ?? []);
  const modules = needed.flatMap(({ module, imports }) => [module, ...imports]);
  const sheets = needed.flatMap(({ css }) => css.map((href) => href.replace(/#$/, '')));
  const missing = (hrefs: readonly string[]) => [...new Set(hrefs)].filter((href) => !html.includes(href));
  return [
    ...missing(modules).map((href) => `<link rel="modulepreload" href="${href}"/>`),
    ...missing(sheets).map((href) => `<link rel="preload" as="style" href="${href}"/>`),
  ].join('');
}

/** The parts of Home's document that must wait until its first view has been painted. */
const fetchedForCode =
  /<link rel="(modulepreload|preload)"[^>]*>|<script type="module" src="[^"]*"><\/script>/g;

/** Writes the document of Home for users with a session: see `client/app/shell/first-view.tsx`. */
async function writeHomePage(application: string): Promise<void> {
  const opening = await writeAsset('opening', await compileScript('client/app/shell/opening.ts'));
  const code = [
    preloadsOf(['app/dashboard/page'], application),
    ...(application.match(fetchedForCode) ?? []),
  ];
  const html = application
    .replace(fetchedForCode, '')
    .replace('<html', '<html data-first-view="home"')
    .replace(
      '</head>',
      () =>
        `<template id="application-code">${code.join('')}</template><script async src="${opening}"></script></head>`,
    );
  await writeFile(join(root, HOME_PAGE), html);
  await writeFile(join(root, HOME_PAGE_BESIDE_ICONS), html.replace('<html', '<html data-menu="collapsed"'));
}

/** Pages that start without a sign of use: nobody should fill in the login before its code has loaded. */
const startWhenIdle = new Set(['login/index.html']);

/** @param wake address of the script that every public page runs */
async function finishPage(file: string, wake: string): Promise<void> {
  const isApplication = file === APPLICATION_PAGE;
  const source = await readFile(join(root, file), 'utf8');
  const page = extractScripts(await inlineStyles(source, isApplication));
  const start = await writeAsset('start', page.code);
  let html = page.html;
  if (isApplication) {
    html = html.replace(
      '</head>',
      () => `${preloadsOf(SHELL, html)}<script type="module" src="${start}"></script></head>`,
    );
    await writeHomePage(html);
  } else {
    const modules = [...html.matchAll(modulePreload)].map((match) => match.groups?.href ?? '');
    const idle = startWhenIdle.has(file) ? ' data-when-idle=""' : '';
    html = html
      .replace(modulePreload, '')
      .replace(manifestLink, '')
      .replace(
        '</head>',
        () =>
          `${WHOLE_PAGE}<script src="${wake}" data-start="${start}" data-modules="${modules.join(' ')}"${idle}></script></head>`,
      );
  }
  await writeFile(join(root, file), html);
}

/** Files that only public pages need. */
function listSiteOnly(): ReadonlySet<string> {
  const { routes } = readRouteManifest(root);
  const ofSite = new Set<string>();
  const ofOthers = new Set<string>();
  for (const [id, { module, imports, css }] of Object.entries(routes)) {
    const needed = id.startsWith('site/') ? ofSite : ofOthers;
    for (const path of [module, ...imports, ...css]) needed.add(path.replace(/#$/, ''));
  }
  return ofSite.difference(ofOthers);
}

/** The application's files: code and styles, including those loaded late, and the fonts that Italian needs. */
async function listApplicationFiles(): Promise<string[]> {
  const html = await readFile(join(root, APPLICATION_PAGE), 'utf8');
  const siteOnly = listSiteOnly();
  const files = globSync('assets/*.{js,css,woff2}', { cwd: root });
  return files
    .map((file) => `/${file}`)
    .filter((file) => !siteOnly.has(file) && !file.includes('latin-ext'))
    .filter((file) => !/\/(start|opening|wake|rare)-/.test(file) || html.includes(file))
    .toSorted();
}

/** Its text changes whenever a listed file does, which is how browsers notice a new version. */
async function writeServiceWorker(): Promise<void> {
  const page = await readFile(join(root, APPLICATION_PAGE));
  const revision = createHash('sha256').update(page).digest('base64url').slice(0, 8);
  const hashed = await listApplicationFiles();
  const code = await compileScript('client/app/shell/service-worker.ts', {
    'process.env.NODE_ENV': 'production',
    APPLICATION_PAGE: APPLICATION_PATH,
    APPLICATION_FILES: [
      { url: APPLICATION_PATH, revision },
      // Their names change with their content.
      ...hashed.map((url) => ({ url, revision: null })),
    ],
  });
  await writeFile(join(root, 'service-worker.js'), code);
}

async function writeCrawlerFiles(): Promise<void> {
  const urls = publicPaths.map((path) => `<url><loc>${provider.siteUrl}${path}</loc></url>`).join('');
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  await writeFile(
    join(root, 'sitemap.xml'),
    `${head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`,
  );
  // A path alone would exclude everything that begins like it, such as /apple-touch-icon.png.
  const closed = ['/app', '/api'].map((path) => `Disallow: ${path}$\nDisallow: ${path}/\n`).join('');
  await writeFile(
    join(root, 'robots.txt'),
    `User-agent: *\n${closed}\nSitemap: ${provider.siteUrl}/sitemap.xml\n`,
  );
}

async function writeManifest(): Promise<void> {
  const icon = (src: string, sizes: string, purpose = 'any') => ({ src, sizes, type: 'image/png', purpose });
  const manifest = {
    id: '/app',
    name: provider.name,
    short_name: provider.name,
    description: provider.tagline,
    lang: 'it',
    start_url: '/app',
    scope: '/',
    display: 'standalone',
    background_color: '#fffdf9',
    theme_color: '#0a4350',
    icons: [
      icon('/icon-192.png', '192x192'),
      icon('/icon-512.png', '512x512'),
      icon('/icon-maskable-512.png', '512x512', 'maskable'),
    ],
  };
  await writeFile(join(root, 'site.webmanifest'), JSON.stringify(manifest));
}

async function compressAll(): Promise<void> {
  const brotli = promisify(brotliCompress);
  const gzipped = promisify(gzip);
  for await (const file of glob('**/*.{html,js,css,svg,json,xml,txt,webmanifest,ico}', { cwd: root })) {
    const source = await readFile(join(root, file));
    await writeFile(
      join(root, `${file}.br`),
      await brotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    );
    await writeFile(join(root, `${file}.gz`), await gzipped(source, { level: 9 }));
  }
}

const wake = await writeAsset('wake', await compileScript('client/site/wake.ts'));
for (const file of globSync('**/*.html', { cwd: root })) await finishPage(file, wake);
await writeServiceWorker();
await writeCrawlerFiles();
await writeManifest();
await compressAll();
await writeFile(join(root, '__paths.json'), JSON.stringify([...publicPaths, ...readApplicationPaths(root)]));
