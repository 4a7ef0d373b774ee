import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { loadInBackground } from '#client/lib/background-code.ts';
import { belongsToPage, COPIED_AT } from '#client/lib/copy-keys.ts';
import { meQuery } from '#client/lib/session.ts';

/** When the server was last reached, in milliseconds since 1970, while it is unreachable; otherwise null. */
function useCopiedAt(): number | null {
  return useQuery<number | null>({ queryKey: COPIED_AT, queryFn: skipToken }).data ?? null;
}

/**
 * When the oldest data on the page was read, in milliseconds since 1970, while no server can be reached; otherwise
 * null.
 */
export function useShownAsOf(): number | null {
  const copiedAt = useCopiedAt();
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => {
      if (copiedAt === null) return null;
      const shown = cache
        .findAll({ type: 'active' })
        .filter(({ queryKey, state }) => state.dataUpdatedAt > 0 && !belongsToPage(queryKey));
      return shown.length === 0 ? copiedAt : Math.min(...shown.map(({ state }) => state.dataUpdatedAt));
    },
  );
}

/** How often an unreachable server is tried again. */
const ASK_AGAIN_MS = 20_000;
/** Wait first, so that the page's own requests have priority. */
const SETTLED_MS = 3000;

/**
 * Lets an account continue to read without a network, also after a reload and in a new tab (docs/decisions/0010): the
 * service worker keeps the application, `offline-copy.ts` the data. Public pages use neither.
 * @param id of the account; undefined while nobody is signed in
 */
export function useOfflineReading(id: string | undefined): void {
  const client = useQueryClient();
  const offline = useCopiedAt() !== null;
  useQuery({ ...meQuery, refetchInterval: offline ? ASK_AGAIN_MS : false });
  useEffect(() => {
    if (!id || offline) return;
    let stop = () => {};
    let ended = false;
    const timer = setTimeout(() => {
      // If its code cannot be loaded, the next visit tries again.
      loadInBackground(() => import('./offline-start.ts')).then((code) => {
        if (code && !ended) stop = code.startOfflineReading(client, id);
      });
    }, SETTLED_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, id, offline]);
}
