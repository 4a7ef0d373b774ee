/**
 * What the pages may weigh: `size-limit`, part of `npm test`, on the client that was built. Counted are the files that a
 * page needs before it can be used, in brotli, as the build writes them and the server sends them.
 */
import { join } from 'node:path';
import { readRouteManifest } from './scripts/route-manifest.ts';

const root = join(import.meta.dirname, 'build/client');
const manifest = readRouteManifest(root);

const modulesOf = ({ module, imports }) => [module, ...imports];

/** The modules of a route and of all around it. */
function chain(id) {
  const route = manifest.routes[id];
  return route === undefined ? [] : [...chain(route.parentId), ...modulesOf(route)];
}

const start = [manifest.path, ...modulesOf(manifest.entry)];
const home = new Set([...start, ...chain('app/dashboard/page')]);

function check(name, limit, modules) {
  return { name, limit, path: [...new Set(modules)].map((path) => join(root, `${path}.br`)), brotli: false };
}

const pages = Object.keys(manifest.routes).filter((id) => id.endsWith('page'));

export default [
  check('/app/home, opened first', '220 kB', home),
  ...pages
    .filter((id) => id.startsWith('app/') && id !== 'app/dashboard/page')
    .map((id) =>
      check(
        `further: ${id}`,
        '60 kB',
        chain(id).filter((path) => !home.has(path)),
      ),
    ),
  ...Object.values(manifest.routes)
    .filter(({ id, parentId }) => parentId === 'site/layout' && id.startsWith('site/'))
    .map(({ id }) => check(`public: ${id}`, '110 kB', [...start, ...chain(id)])),
];
