import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads what is asked for at each visit. What was read under `keys` before it was asked for counts as stale from its answer on:
 * whoever goes on from there to one of those lists would otherwise see an older state of the same records for as long as
 * what was read stays fresh.
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
