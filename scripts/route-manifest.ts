import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const loaded = z.object({ module: z.string(), imports: z.array(z.string()) });

/** What the build tells the router: each route's module, the modules and sheets it needs, and the route around it. */
const manifestSchema = z.object({
  entry: loaded,
  routes: z.record(
    z.string(),
    loaded.extend({
      id: z.string(),
      parentId: z.string().optional(),
      path: z.string().optional(),
      css: z.array(z.string()),
    }),
  ),
});

/**
 * Reads the route manifest of the client that was built.
 * @param root folder of the built client
 * @returns its own path below `root`, with a leading slash as all the others in it, and what it says
 * @throws when nothing was built
 */
export function readRouteManifest(root: string): { path: string } & z.output<typeof manifestSchema> {
  const [file] = globSync('assets/manifest-*.js', { cwd: root });
  if (file === undefined) throw new Error('No route manifest: build the client first, npm run build');
  const script = readFileSync(join(root, file), 'utf8');
  const json = script.slice(script.indexOf('{')).replace(/;\s*$/, '');
  return { path: `/${file}`, ...manifestSchema.parse(JSON.parse(json)) };
}

/**
 * The addresses of the application's pages, such as `/app/gestione-richieste/:id`, without the one for all others.
 * @param root folder of the built client
 * @throws when nothing was built
 */
export function readApplicationPaths(root: string): string[] {
  const { routes } = readRouteManifest(root);
  const addressOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? addressOf(route.parentId) + (route.path ? `/${route.path}` : '') : '';
  };
  const addresses = Object.keys(routes).map(addressOf);
  return [...new Set(addresses)].filter((path) => /^\/app(\/|$)/.test(path) && !path.endsWith('*'));
}
