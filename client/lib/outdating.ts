import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads something that is fetched at each visit, and then marks as stale what was read under `keys` before this request.
 * Otherwise a user who goes on to one of those lists would see an older state of the same records for as long as it counts as
 * fresh.
 * @returns what `read` returns
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
      // A list that is being asked for already will not be older.
      { cancelRefetch: false },
    );
  }
  return answer;
}
