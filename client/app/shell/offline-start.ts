import type { QueryClient } from '@tanstack/react-query';
import { keepCopy } from '#client/lib/offline-copy.ts';

/** Whether the person asks to save on data: then nothing is fetched that was not asked for. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

async function registerWorker(): Promise<void> {
  // A browser that refuses, as some do in private windows, only misses reading off line.
  await navigator.serviceWorker?.register('/service-worker.js', { scope: '/app' }).catch(() => {});
}

/**
 * Keeps what the account `id` reads, and once the page is idle the application itself.
 * @returns what ends the former
 */
export function startOfflineReading(client: QueryClient, id: string): () => void {
  // Safari has no requestIdleCallback.
  const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 0));
  if (import.meta.env.PROD && !savesData()) whenIdle(() => void registerWorker());
  return keepCopy(client, id);
}
