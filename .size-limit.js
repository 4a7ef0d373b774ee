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
  // A route that was renamed would weigh nothing.
  if (route === undefined) throw new Error(`There is no route ${id}: check the names in .size-limit.js`);
  return [...(route.parentId === undefined ? [] : chain(route.parentId)), ...modulesOf(route)];
}

const start = [manifest.path, ...modulesOf(manifest.entry)];
const home = new Set([...start, ...chain('app/dashboard/page')]);

function check(name, limit, modules) {
  return { name, limit, path: [...new Set(modules)].map((path) => join(root, `${path}.br`)), brotli: false };
}

/** The routes of a kind of page. */
function routesOf(kind, isOfKind) {
  const ids = Object.values(manifest.routes)
    .filter(isOfKind)
    .map(({ id }) => id);
  if (ids.length === 0) throw new Error(`There are no ${kind} pages: check the names in .size-limit.js`);
  return ids;
}

export default [
  check('/app/home, opened first', '220 kB', home),
  ...routesOf('further', ({ id }) => /^app\/(?!dashboard\/).*page$/.test(id)).map((id) =>
    check(
      `further: ${id}`,
      '60 kB',
      chain(id).filter((path) => !home.has(path)),
    ),
  ),
  ...routesOf('public', ({ id, parentId }) => parentId === 'site/layout' && id.startsWith('site/')).map(
    (id) => check(`public: ${id}`, '110 kB', [...start, ...chain(id)]),
  ),
];
