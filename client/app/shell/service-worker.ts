/*
 * The service worker of `/app` (docs/decisions/0010): it keeps the application's own files, so that a reload and a new
 * tab work without a network, and a page of the previous version still finds its code after a deployment. It keeps no
 * API responses; data is kept by `client/lib/offline-copy.ts`. `scripts/postbuild.ts` compiles it.
 */
import {
  disable as disableNavigationPreload,
  enable as enableNavigationPreload,
} from 'workbox-navigation-preload';
import {
  addRoute as addPrecacheRoute,
  getCacheKeyForURL,
  matchPrecache,
  type PrecacheEntry,
  precache,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;
/** Every file of the application, inserted by the build. */
declare const APPLICATION_FILES: PrecacheEntry[];
/** The URL of its document, which is one of them. */
declare const APPLICATION_PAGE: string;

/** After this many seconds without a response, the network counts as down. */
const PATIENCE_S = 4;

precache(APPLICATION_FILES);
// Requests the document while the worker starts, not afterwards. If that request fails, Firefox shows its own error page,
// whatever the worker answers.
if (navigator.userAgent.includes('Firefox')) disableNavigationPreload();
else enableNavigationPreload();

/** The document comes from the server whenever it answers, so that it never refers to files that no longer exist. */
const network = new NetworkOnly({ networkTimeoutSeconds: PATIENCE_S });
registerRoute(
  new NavigationRoute(async (asked) => {
    const answered = await network.handle(asked).catch(() => null);
    if (answered && answered.status < 500) return answered;
    return (await matchPrecache(APPLICATION_PAGE)) ?? answered ?? Response.error();
  }),
);
// Registered after the document's route. Kept files are served from the cache first.
addPrecacheRoute();

/**
 * A new version takes over once no page uses the previous one, whose files pages may still request. A reloaded page, which
 * may stay open for days, already is of this version: it sends the address of its manifest (`offline-start.ts`), and
 * waits no longer if no other page is open.
 */
self.addEventListener('message', (event) => {
  const { data: manifest, source } = event;
  if (!(source instanceof Client) || getCacheKeyForURL(manifest) === undefined) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const others = windows.filter(
        ({ id, url }) => id !== source.id && new URL(url).pathname.startsWith('/app'),
      );
      return others.length > 0 ? undefined : self.skipWaiting();
    }),
  );
});
