import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { loadInBackground } from '#client/lib/background-code.ts';
import { COPIED_AT, isOfThePage } from '#client/lib/copy-keys.ts';
import { meQuery } from '#client/lib/session.ts';

/** When the server was last heard of, in milliseconds since 1970, while it cannot be reached; else null. */
function useCopiedAt(): number | null {
  return useQuery<number | null>({ queryKey: COPIED_AT, queryFn: skipToken }).data ?? null;
}

/** When the oldest of what the page shows was read, in milliseconds since 1970, while no server can be reached; else null. */
export function useShownAsOf(): number | null {
  const copiedAt = useCopiedAt();
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => {
      if (copiedAt === null) return null;
      const shown = cache
        .findAll({ type: 'active' })
        .filter(({ queryKey, state }) => state.dataUpdatedAt > 0 && !isOfThePage(queryKey));
      return shown.length === 0 ? copiedAt : Math.min(...shown.map(({ state }) => state.dataUpdatedAt));
    },
  );
}

/** How often a server that cannot be reached is asked for. */
const ASK_AGAIN_MS = 20_000;
/** What the page itself still needs comes first. */
const SETTLED_MS = 3000;

/**
 * Lets an account read on without a network, after a reload and in a new tab as well (docs/decisions/0010): the service
 * worker keeps the application, `offline-copy.ts` what was read. Public pages meet neither of them.
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
      // Where its code does not come, the next visit starts it.
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
