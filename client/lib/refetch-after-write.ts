import { isGone } from './failures.ts';

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
