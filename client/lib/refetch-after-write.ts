import { notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { isGone } from './failures.ts';

/**
 * Reads what a write may have changed: now what is shown, the rest when it is shown again. Reads under way begin anew,
 * because the server may have answered them before the write; TanStack does so only for data in sight.
 */
export function readAgain(client: QueryClient, ...keys: QueryKey[]): Promise<unknown> {
  return notifyManager.batch(() => {
    for (const queryKey of keys)
      for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
        if (query.state.data === undefined || !query.isActive()) void query.cancel({ revert: true });
    return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  });
}

/**
 * For `onSettled` of a mutation. A successful mutation stays pending until the data it may have changed is reloaded, so
 * that no stale data is shown afterwards, and so does one whose record is gone, because its row disappears and with it the
 * place to return the focus to; another failure is reported at once, however long a struggling server takes to answer.
 */
export function refetchAfterWrite(refetch: () => Promise<unknown>) {
  return (_answer: unknown, failure: Error | null): Promise<unknown> | undefined => {
    const refetched = refetch();
    return failure && !isGone(failure) ? undefined : refetched;
  };
}
