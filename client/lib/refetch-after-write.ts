/**
 * For `onSettled` of a mutation. One that succeeded stays pending until what it may have changed is read again, so that nothing
 * outdated is shown after it; one that failed is reported at once, however long a server in trouble takes to answer.
 */
export function refetchAfterWrite(refetch: () => Promise<unknown>) {
  return (_answer: unknown, failure: Error | null): Promise<unknown> | undefined => {
    const refetched = refetch();
    return failure ? undefined : refetched;
  };
}
