import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, keys, update } from 'idb-keyval';
import { type Me, signedInSchema } from '#contract/accounts.ts';
import { claimReads } from './account-reads.ts';
import { hasCookie, writeCookie } from './cookies.ts';
import { COPIED_AT, COPY_OWNER, ME } from './copy-keys.ts';
import { deviceStorage } from './storage.ts';

/** Changes with contract/, because data read by an earlier version may have another shape. Inserted by the build. */
declare const CONTRACT_VERSION: string;

/**
 * Queries that can be read offline, by the first two parts of their key: lists, figures and open records. Others are
 * not kept: PDFs, searches, sessions, the history of a record.
 */
const KEPT = new Set([
  ME[0],
  'dashboard',
  'projects list',
  'projects stats',
  'projects timeline',
  'projects names',
  'employees list',
  'invoices list',
  'invoices summary',
  'trip-requests list',
  'trip-requests detail',
  'admin-invoices list',
  'managed-trip-requests list',
  'managed-trip-requests detail',
  'users list',
]);
/** A week without a network on a building site, and no longer. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;
/** How many pages of a list are kept (the first ones), and how many responses in all (the latest). */
const MAX_PAGES = 4;
const MAX_QUERIES = 60;

/** A cookie that ends with the browser's session, and tells whether the copy was kept in this one. */
const KEPT_NOW = 'offline_copy=kept';

const isKept = (queryKey: QueryKey) => KEPT.has(queryKey.slice(0, 2).join(' '));

/** Begins the keys of this version's answers, so that tabs of two versions do not overwrite each other's. */
const OURS = `${CONTRACT_VERSION} `;
const isOurs = (key: string) => key.startsWith(OURS);

/** The response to a query, read at `at` (milliseconds since 1970). */
type Kept = { owner: string; at: number; queryKey: QueryKey; data: unknown };

const store = createStore('trasvia-offline', 'answers');

const isPages = (data: unknown): data is { pages: unknown[]; pageParams: unknown[] } =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);

function firstPages(data: unknown): unknown {
  if (!isPages(data)) return data;
  return { pages: data.pages.slice(0, MAX_PAGES), pageParams: data.pageParams.slice(0, MAX_PAGES) };
}

/**
 * Latest first, but the signed-in account before all others: nothing can be read offline without it, so the limit must
 * not drop it.
 */
const byUse = (a: Kept, b: Kept) =>
  Number(b.queryKey[0] === ME[0]) - Number(a.queryKey[0] === ME[0]) || b.at - a.at;

/**
 * What this version keeps for `owner` and has not expired, in the order of `byUse`. Everything else is removed, except
 * the answers that another version may still need: one of its tabs may be open.
 */
async function readKept(owner: string): Promise<Kept[]> {
  const all = (await entries<string, Kept>(store)).toSorted(([, a], [, b]) => byUse(a, b));
  const oldest = Date.now() - MAX_AGE_MS;
  const valid = all.filter(([, { owner: whose, at }]) => whose === owner && at > oldest);
  const usable = valid.filter(([key, { queryKey }]) => isOurs(key) && isKept(queryKey)).slice(0, MAX_QUERIES);
  const useful = new Set([...usable, ...valid.filter(([key]) => !isOurs(key))]);
  await delMany(
    all.filter((entry) => !useful.has(entry)).map(([key]) => key),
    store,
  );
  return usable.map(([, kept]) => kept);
}

/**
 * From now on stores everything the account `owner` reads on this device, including what is already in the cache, for
 * reading without a network. Data of any other account is removed first.
 * @returns a function that stops it
 */
export function keepCopy(client: QueryClient, owner: string): () => void {
  if (!deviceStorage.write(COPY_OWNER, owner)) {
    // What is there may be another account's.
    deviceStorage.remove(COPY_OWNER);
    return () => {};
  }
  writeCookie(KEPT_NOW);
  const cleaned = readKept(owner);
  const cache = client.getQueryCache();
  const keep = async ({ queryKey, queryHash, state }: Query) => {
    const { status, data, dataUpdatedAt: at } = state;
    // Data restored from the copy is no newer.
    if (status !== 'success' || !data || !isKept(queryKey) || client.getQueryData(COPIED_AT)) return;
    await cleaned;
    // Another tab may have left the account meanwhile.
    if (deviceStorage.read(COPY_OWNER) !== owner) return;
    const read: Kept = { owner, at, queryKey, data: firstPages(data) };
    // Another tab may have read it since.
    await update<Kept>(
      OURS + queryHash,
      (kept) => (kept?.owner === owner && kept.at > at ? kept : read),
      store,
    );
    if ((await keys<string>(store)).filter(isOurs).length > MAX_QUERIES) await readKept(owner);
  };
  // Without disk space or permission only the copy is lost, not the page.
  const tryToKeep = (query: Query) => void keep(query).catch(() => {});
  for (const query of cache.getAll()) tryToKeep(query);
  return cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') tryToKeep(event.query);
  });
}

/**
 * Loads the copy into the cache, unless the cache has newer data. Removes it if its session was not to be remembered and
 * the browser has been closed since: somebody else may have opened it.
 * @returns the account it belongs to; null when nothing is kept for the account that was last signed in here
 */
export async function readCopy(client: QueryClient): Promise<Me | null> {
  const owner = deviceStorage.read(COPY_OWNER);
  if (owner === null) return null;
  const [account, ...answers] = await readKept(owner);
  if (account?.queryKey[0] !== ME[0]) return null;
  const me = signedInSchema.parse(account.data);
  if (!me.remembered && !hasCookie(KEPT_NOW)) {
    deviceStorage.remove(COPY_OWNER);
    await clearCopy();
    return null;
  }
  claimReads(client, owner);
  client.setQueryData(COPIED_AT, account.at);
  for (const { queryKey, data, at } of answers) {
    if ((client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < at)
      client.setQueryData(queryKey, data, { updatedAt: at });
  }
  return me;
}

/** Removes everything that is kept on this device. */
export async function clearCopy(): Promise<void> {
  await clear(store);
}
