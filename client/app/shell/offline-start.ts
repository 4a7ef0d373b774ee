import type { QueryClient } from '@tanstack/react-query';
import { savesData, whenIdle } from '#client/lib/idle.ts';
import { keepCopy } from '#client/lib/offline-copy.ts';

async function registerWorker(): Promise<void> {
  // A browser that refuses, as some do in private windows, only misses reading off line.
  await navigator.serviceWorker?.register('/service-worker.js', { scope: '/app' }).catch(() => {});
}

/**
 * Keeps what the account `id` reads, and once the page is idle the application itself.
 * @returns what ends the former
 */
export function startOfflineReading(client: QueryClient, id: string): () => void {
  if (import.meta.env.PROD && !savesData()) whenIdle(() => void registerWorker());
  return keepCopy(client, id);
}
