/** What the router tells of a route, and the modules it has loaded, by the ids of their routes. */
type Route = { id: string; module: string };
type Loaded = Record<string, unknown>;

/**
 * Loads the code of a page. The build puts this in the place of the router's function of the same name (see
 * `vite.config.ts`), which reloads the document each time it fails: after a deployment the code has another name, but code
 * that always fails would reload it for ever. Here it is reloaded once in a tab; then, or if the browser stores nothing,
 * the page's error is shown.
 */
export async function loadRouteModule({ id, module }: Route, loaded: Loaded): Promise<unknown> {
  try {
    loaded[id] ??= await import(/* @vite-ignore */ module);
    return loaded[id];
  } catch (error) {
    if (sessionStorage[module]) throw error;
    sessionStorage[module] = 1;
    location.reload();
    return new Promise(() => {});
  }
}
