import type { QueryClient } from '@tanstack/react-query';
import { isOfThePage } from './copy-keys.ts';

/** The account that a cache holds answers for. */
const readFor = new WeakMap<QueryClient, string>();

/** Removes what was read for an account; who is signed in stays as known. */
export function forgetReads(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !isOfThePage(queryKey) });
}

/**
 * From here on the cache is that of the account `id`, null for a visitor's: what was read for anybody else is removed. For whoever
 * learns who is signed in, before that is told to any page: somebody may have left an account, and somebody else entered
 * theirs, in another tab while this one showed a public page, where nobody listens.
 */
export function claimReads(client: QueryClient, id: string | null): void {
  const before = readFor.get(client);
  if (before !== undefined && before !== id) forgetReads(client);
  if (id !== null) readFor.set(client, id);
}
