import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Me } from '#contract/accounts.ts';
import { COMMON_TEXTS } from '#contract/error-body.ts';
import { claimReads } from './account-reads.ts';
import { ApiError, answer, api } from './api.ts';
import { belongsToPage, COPIED_AT, COPY_OWNER, ME } from './copy-keys.ts';
import { deviceStorage, tabStorage } from './storage.ts';

/** Whether there was no response, or only one from a proxy in front of the server. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

/**
 * The signed-in account, or null for a visitor. Refetched whenever the tab becomes visible (spec §4). Without a
 * connection it is the account whose offline copy this device keeps, and the copy fills the cache.
 */
export const meQuery = queryOptions({
  queryKey: ME,
  queryFn: async ({ client }): Promise<Me | null> => {
    try {
      const { me } = await answer(api.auth.session.$get());
      claimReads(client, me?.id ?? null);
      if (client.getQueryData(COPIED_AT)) {
        client.setQueryData(COPIED_AT, null);
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
      }
      return me;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      // Without a readable copy the error of the request is the one to show.
      const me = await import('./offline-copy.ts').then(({ readCopy }) => readCopy(client)).catch(() => null);
      if (!me) throw error;
      return me;
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
});

/** Removes this device's offline copy of an account, after it was left or another one signed in. */
export function dropCopy(): void {
  if (deviceStorage.read(COPY_OWNER) === null) return;
  // Immediately, so that nobody can read it any more; the data itself follows.
  deviceStorage.remove(COPY_OWNER);
  import('./offline-copy.ts').then(({ clearCopy }) => clearCopy()).catch(() => {});
}

/** The session, which may still be loading or absent; for the shell and the login screen. */
export function useSession() {
  return useQuery(meQuery);
}

/**
 * The account that the application's shell renders its pages for. Pages must not use the query: when the session ends,
 * the account disappears from it before the shell has removed the page.
 */
export const MeContext = createContext<Me | null>(null);

/** The signed-in account. Only for components below the application's shell. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('useMe() outside the application shell');
  return me;
}

/**
 * Follows a sign-in in another tab: the same account keeps its open pages and forms, and reads their data again; for
 * another account all data read before is removed.
 */
export async function followSignIn(client: QueryClient): Promise<void> {
  const before = client.getQueryData(meQuery.queryKey);
  let now: Me | null;
  try {
    now = await client.fetchQuery({
      queryKey: ['signed-in-elsewhere'],
      queryFn: async () => (await answer(api.auth.session.$get())).me,
      staleTime: 0,
      gcTime: 0,
    });
  } catch {
    // The account is unknown. Treated as an ended session, this leads to the login, which continues by itself if there
    // is a session and keeps the input of the same account.
    client.setQueryData(meQuery.queryKey, null);
    return;
  }
  if (now && now.id === before?.id) {
    client.setQueryData(meQuery.queryKey, now);
    // What led to the new login, such as a first password, may have changed anything.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !belongsToPage(queryKey) });
    // The other tab removed this device's offline copy at the sign-in, so store everything read here again.
    const { id } = now;
    import('./offline-copy.ts').then(({ keepCopy }) => keepCopy(client, id)()).catch(() => {});
    return;
  }
  // Offline, the session would otherwise be that of the copy's owner.
  dropCopy();
  // While nobody is signed in, the shell shows no page that could refetch data for an account that is about to be
  // replaced.
  await client.resetQueries({ queryKey: ME });
}

let leaving = false;

/** Tells the shell that the user is logging out, so that the end of the session does not count as a lost one. */
export function markLeaving(value: boolean): void {
  leaving = value;
}

/** Whether the user is logging out deliberately. */
export function isLeaving(): boolean {
  return leaving;
}

let endedBy: string | null = null;

/**
 * Records when `error` shows that the account's session has ended, so that the shell asks to log in again; ignores
 * other errors.
 */
export function noticeEndedSession(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return;
  if (error.message !== COMMON_TEXTS.unauthenticated) endedBy = error.message;
  client.setQueryData(meQuery.queryKey, null);
}

let endedAfter: string | null = null;

/**
 * For a change that ends this session or renews its cookie: after a lost response, sets what to tell the user if the
 * session turns out to have ended. Null once the change has succeeded.
 */
export function expectEnd(text: string | null): void {
  endedAfter = text;
}

/**
 * What the user should know before the next login: that a change may have been made (`expectEnd`), or what could not be
 * done because the session had ended (spec §8); null when there is no text.
 */
export function endedSessionText(): string | null {
  return endedAfter ?? endedBy;
}

/** Clears it after a new sign-in. */
export function clearEndedSession(): void {
  endedAfter = null;
  endedBy = null;
}

const RETURN_TO = 'trasvia:return-to';

/**
 * Stores the page that was wanted (spec §2) until `takeReturnTo`; it survives the redirect over `/` to `/login`.
 * @param owner the id of the account whose session ended there; null for a visitor
 */
export function rememberReturnTo(path: string, owner: string | null = null): void {
  tabStorage.write(RETURN_TO, owner === null ? path : `${path} ${owner}`);
}

/**
 * Returns the stored page once; null when there is none, or when it was left by another account than `id`: what it shows
 * and what was searched there is that account's. Only paths of the application are trusted.
 */
export function takeReturnTo(id: string): string | null {
  const [path, owner = id] = tabStorage.read(RETURN_TO)?.split(' ') ?? [];
  tabStorage.remove(RETURN_TO);
  return owner === id && path?.startsWith('/app/') ? path : null;
}

/** The first page of an account (spec §2): the invoices for the invoice administrator, Home for everybody else. */
export function landingOf(me: Me): string {
  return me.permissions.manageAllInvoices ? '/app/admin/invoices' : '/app/home';
}

/** The displayed name of an account (spec §2): username, full name, the e-mail before the @, or 'Utente'. */
export function displayName(me: Pick<Me, 'username' | 'fullName' | 'email'>): string {
  return me.username || me.fullName || me.email.split('@', 1)[0] || 'Utente';
}
