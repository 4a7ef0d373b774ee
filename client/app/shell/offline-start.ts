import type { QueryClient } from '@tanstack/react-query';
import { savesData, whenIdle } from '#client/lib/idle.ts';
import { keepCopy } from '#client/lib/offline-copy.ts';

/** Of the router. It names the code of all pages, so its address differs from one version to the next. */
declare const __reactRouterManifest: { url: string };

async function registerWorker(): Promise<void> {
  // If the browser refuses, as some do in private windows, only offline reading is missing.
  const registration = await navigator.serviceWorker
    ?.register('/service-worker.js', { scope: '/app' })
    .catch(() => undefined);
  if (!registration) return;
  /** Tells a new worker, once installed, the version of this page: for its own it need not wait (`service-worker.ts`). */
  const tellVersion = () => {
    const worker = registration.installing ?? registration.waiting;
    const tell = () => {
      if (worker?.state === 'installed') worker.postMessage(__reactRouterManifest.url);
    };
    worker?.addEventListener('statechange', tell);
    tell();
  };
  registration.addEventListener('updatefound', tellVersion);
  tellVersion();
}

/**
 * Stores what the account `id` reads and, once the page is idle, the application itself.
 * @returns stops storing what is read
 */
export function startOfflineReading(client: QueryClient, id: string): () => void {
  if (import.meta.env.PROD && !savesData()) whenIdle(() => void registerWorker());
  return keepCopy(client, id);
}
