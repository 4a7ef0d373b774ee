import type { QueryClient } from '@tanstack/react-query';
import { belongsToPage } from './copy-keys.ts';

/** The account whose data is in a cache. */
const readFor = new WeakMap<QueryClient, string>();

/** Removes the data read for an account, but not who is signed in. */
export function forgetReads(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !belongsToPage(queryKey) });
}

/**
 * Assigns the cache to the account `id` (null: a visitor) and removes data read for any other account. Must be called
 * by code that learns who is signed in, before it informs any page: while this tab showed a public page, which does not
 * listen for sessions, another tab may have switched accounts.
 */
export function claimReads(client: QueryClient, id: string | null): void {
  const before = readFor.get(client);
  if (before !== undefined && before !== id) forgetReads(client);
  if (id !== null) readFor.set(client, id);
}
