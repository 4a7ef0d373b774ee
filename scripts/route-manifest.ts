import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const loaded = z.object({ module: z.string(), imports: z.array(z.string()) });

/** The build's information for the router: each route's module, the modules and sheets it needs, and its parent route. */
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
 * Reads the route manifest of the built client.
 * @param root folder of the built client
 * @returns its content and its path below `root`, with a leading slash like the paths in it
 * @throws if the client is not built
 */
export function readRouteManifest(root: string): { path: string } & z.output<typeof manifestSchema> {
  const [file] = globSync('assets/manifest-*.js', { cwd: root });
  if (file === undefined) throw new Error('No route manifest: build the client first, npm run build');
  const script = readFileSync(join(root, file), 'utf8');
  const json = script.slice(script.indexOf('{')).replace(/;\s*$/, '');
  return { path: `/${file}`, ...manifestSchema.parse(JSON.parse(json)) };
}

/**
 * The addresses of the application's pages, such as `/app/gestione-richieste/:id`, without the catch-all route.
 * @param root folder of the built client
 * @throws if the client is not built
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
