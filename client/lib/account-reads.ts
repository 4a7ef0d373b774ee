import type { QueryClient } from '@tanstack/react-query';
import { COPIED_AT, ME } from './copy-keys.ts';

/** Who is signed in, and since when no server is reached: of the page, not read for an account. */
const OF_THE_PAGE: ReadonlySet<unknown> = new Set([ME[0], COPIED_AT[0]]);

/** The account that a cache holds answers for. */
const readFor = new WeakMap<QueryClient, string>();

/** Removes what was read for an account; who is signed in stays as known. */
export function forgetReads(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !OF_THE_PAGE.has(queryKey[0]) });
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
