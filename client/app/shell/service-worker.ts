/*
 * The service worker of `/app` (docs/decisions/0010): it keeps the application's own files, so that a reload and a new
 * tab open without a network, and a page of the version before still finds its code after a deployment. It keeps no
 * answer of the API; what was read is kept by `client/lib/offline-copy.ts`. `scripts/postbuild.ts` compiles it.
 */
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import {
  addRoute as addPrecacheRoute,
  matchPrecache,
  type PrecacheEntry,
  precache,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope;
/** Every file of the application, written here by the build. */
declare const APPLICATION_FILES: PrecacheEntry[];
/** The address of its document, which is one of them. */
declare const APPLICATION_PAGE: string;

/** After this a network that does not answer counts as none. */
const PATIENCE_S = 4;

precache(APPLICATION_FILES);
// The network is asked while the worker starts, not after it.
enableNavigationPreload();

/** The document comes from the server whenever it answers, so that it never names files that are gone. */
const network = new NetworkOnly({ networkTimeoutSeconds: PATIENCE_S });
registerRoute(
  new NavigationRoute(async (asked) => {
    const answered = await network.handle(asked).catch(() => null);
    if (answered && answered.status < 500) return answered;
    return (await matchPrecache(APPLICATION_PAGE)) ?? answered ?? Response.error();
  }),
);
// After the document's own route: what is kept is answered from here first.
addPrecacheRoute();

/**
 * A new version takes over once nobody works with the one before: its files stay while a page may still ask for them.
 * A single page is the one that has just been loaded, and found this version.
 */
self.addEventListener('install', (event) => {
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const working = windows.filter(({ url }) => new URL(url).pathname.startsWith('/app'));
      return working.length > 1 ? undefined : self.skipWaiting();
    }),
  );
});
