import type { QueryClient } from '@tanstack/react-query';
import { savesData, whenIdle } from '#client/lib/idle.ts';
import { keepCopy } from '#client/lib/offline-copy.ts';

async function registerWorker(): Promise<void> {
  // If the browser refuses, as some do in private windows, only offline reading is missing.
  await navigator.serviceWorker?.register('/service-worker.js', { scope: '/app' }).catch(() => {});
}

/**
 * Stores what the account `id` reads and, once the page is idle, the application itself.
 * @returns stops storing what is read
 */
export function startOfflineReading(client: QueryClient, id: string): () => void {
  if (import.meta.env.PROD && !savesData()) whenIdle(() => void registerWorker());
  return keepCopy(client, id);
}
