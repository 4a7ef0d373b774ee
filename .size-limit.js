/**
 * What the pages may weigh: `size-limit`, part of `npm test`, on the client that was built. Counted are the files that a
 * page needs before it can be used, in brotli, as the build writes them and the server sends them.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, 'build/client');
const [file] = globSync('assets/manifest-*.js', { cwd: root });
if (file === undefined) throw new Error('Build the client first: npm run build');
/** What the router knows of its routes: their module, what that imports, the route around them. */
const manifest = JSON.parse(
  readFileSync(join(root, file), 'utf8')
    .replace(/^window\.__reactRouterManifest=/, '')
    .replace(/;\s*$/, ''),
);

const modulesOf = ({ module, imports }) => [module, ...imports];

/** The modules of a route and of all around it. */
function chain(id) {
  const route = manifest.routes[id];
  return route === undefined ? [] : [...chain(route.parentId), ...modulesOf(route)];
}

const start = [`/${file}`, ...modulesOf(manifest.entry)];
const home = new Set([...start, ...chain('app/dashboard/page')]);

/** The login brings what the application behind it needs anyway. */
const publicLimits = { 'site/login/login': '150 kB' };

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
    .map(({ id }) => check(`public: ${id}`, publicLimits[id] ?? '110 kB', [...start, ...chain(id)])),
];
