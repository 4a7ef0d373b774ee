import type { QueryClient } from '@tanstack/react-query';
import { isOfThePage } from './copy-keys.ts';

/** The account that a cache holds answers for. */
const readFor = new WeakMap<QueryClient, string>();

/** Removes what was read for an account; who is signed in stays as known. */
export function forgetReads(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !isOfThePage(queryKey) });
}

/**
 * Makes the cache that of the account `id` (null: a visitor's) and removes what was read for anybody else. To be called by code
 * that learns who is signed in, before it tells any page: while this tab showed a public page, where nothing listens, one account
 * may have been left and another one entered in another tab.
 */
export function claimReads(client: QueryClient, id: string | null): void {
  const before = readFor.get(client);
  if (before !== undefined && before !== id) forgetReads(client);
  if (id !== null) readFor.set(client, id);
}
