/**
 * For `onSettled` of a mutation. A successful mutation stays pending until the data it may have changed is reloaded, so
 * that no stale data is shown afterwards; a failed one is reported at once, however long a struggling server takes to
 * answer.
 */
export function refetchAfterWrite(refetch: () => Promise<unknown>) {
  return (_answer: unknown, failure: Error | null): Promise<unknown> | undefined => {
    const refetched = refetch();
    return failure ? undefined : refetched;
  };
}
