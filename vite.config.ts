import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './scripts/chunks.ts';

/**
 * Reads the server's bundle before the first page is prerendered from it. Otherwise that page waits for it, and a busy
 * machine needs longer than the ten seconds that the prerenderer gives each page.
 */
const readServerBundle: Plugin = {
  name: 'read-server-bundle',
  async configurePreviewServer() {
    await import(pathToFileURL(join(import.meta.dirname, 'build/server/index.js')).href);
  },
};

/** Lets a module be in another file than what it imports, which the bundler allows only where pages may export more than their own. */
const allowSharedChunks: Plugin = {
  name: 'allow-shared-chunks',
  configEnvironment(name) {
    return name === 'client'
      ? { build: { rolldownOptions: { preserveEntrySignatures: 'allow-extension' } } }
      : undefined;
  },
};

/** Puts our `loadRouteModule` in the place of the router's, which reloads the document for ever if code always fails. */
const loadRouteModules: Plugin = {
  name: 'load-route-modules',
  enforce: 'pre',
  apply: 'build',
  resolveId(source, importer) {
    return source.endsWith('/routeModules.js') && importer?.includes('/node_modules/react-router/')
      ? join(import.meta.dirname, 'client/lib/route-module.ts')
      : undefined;
  },
};

/** Names the shape of everything the server answers: what one version kept on a device may not fit the next. */
function contractVersion(): string {
  const hash = createHash('sha256');
  const folder = join(import.meta.dirname, 'contract');
  for (const file of globSync('*.ts', { cwd: folder }).toSorted())
    hash.update(readFileSync(join(folder, file)));
  return hash.digest('base64url').slice(0, 8);
}

export default defineConfig(({ command }) => ({
  define: { CONTRACT_VERSION: JSON.stringify(contractVersion()) },
  plugins: [loadRouteModules, reactRouter(), readServerBundle, allowSharedChunks],
  publicDir: 'client/site/public',
  // Short class names: each is written in the style sheet, in the page and in the script.
  css: { modules: command === 'build' ? { generateScopedName: '_[hash:base64:5]' } : {} },
  build: {
    // The oldest browsers with `light-dark()`, on which the colour tokens rest, and `<details name>`, which closes the other questions.
    target: ['chrome123', 'edge123', 'firefox130', 'safari17.5'],
    // Fonts and drawings stay files: inlined, they would weigh on the first paint of every page.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Of the thousands of icons that one module hands on, only those that are imported are read.
      experimental: { lazyBarrel: true },
      // On a busy machine it would tell every build where its time went.
      checks: { bundlerTimings: false },
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // The router's list of modules is part of every page: their names would be a seventh of it.
            entryFileNames: 'assets/[hash:7].js',
            chunkFileNames: 'assets/[hash:7].js',
            codeSplitting: {
              groups: chunkGroups,
            },
          },
        },
      },
    },
  },
  server: {
    proxy: { '/api': { target: process.env.TRASVIA_API ?? 'http://localhost:3000', changeOrigin: false } },
  },
}));
