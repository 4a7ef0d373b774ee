import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads data that is fetched at each visit, and then marks data read under `keys` before this request as stale.
 * Otherwise a user who moves on to one of those lists would see an older state of the same records while it counts as
 * fresh.
 * @returns the result of `read`
 */
export async function outdating<Answer>(
  client: QueryClient,
  keys: readonly QueryKey[],
  read: () => Promise<Answer>,
): Promise<Answer> {
  const asked = Date.now();
  const answer = await read();
  for (const queryKey of keys) {
    void client.invalidateQueries(
      { queryKey, predicate: ({ state }) => state.dataUpdatedAt < asked },
      // A list that is already being fetched will be recent enough.
      { cancelRefetch: false },
    );
  }
  return answer;
}
