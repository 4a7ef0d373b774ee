import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Me } from '#contract/accounts.ts';
import { ERRORS } from '#contract/errors.ts';
import { claimReads } from './account-reads.ts';
import { ApiError, answer, api } from './api.ts';
import { COPIED_AT, COPY_OWNER, ME } from './copy-keys.ts';

/** Whether no answer came, or only one of a proxy in front of the server. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

/**
 * The signed-in account, or null for a visitor. Asked again whenever the tab becomes visible (spec §4). Without a
 * connection it is the account whose copy this device keeps, and what that account read last fills the cache.
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
      const me = await import('./offline-copy.ts').then(
        ({ readCopy }) => readCopy(client),
        () => null,
      );
      if (!me) throw error;
      return me;
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
});

/** Removes what this device keeps of an account to be read off line: the account was left, or another one entered. */
export function dropCopy(): void {
  if (localStorage.getItem(COPY_OWNER) === null) return;
  // At once, so that it is read for nobody any more; then the data itself.
  localStorage.removeItem(COPY_OWNER);
  import('./offline-copy.ts').then(({ clearCopy }) => clearCopy()).catch(() => {});
}

/** The session while it may still be loading or absent: for the shell and the login screen. */
export function useSession() {
  return useQuery(meQuery);
}

/**
 * The account that the application's shell renders its pages for. Pages must not take it from the query: while the session ends
 * it is gone from there before the shell has removed the page.
 */
export const MeContext = createContext<Me | null>(null);

/** The signed-in account. Only for components below the application's shell, which renders them for nobody else. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('useMe() outside the application shell');
  return me;
}

/**
 * Follows a sign-in in another tab: the same account keeps its open pages and forms; for another account everything read before
 * is forgotten.
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
    // Whose session it is remains unknown. As one that has ended it leads to the login, which goes on by itself where there is
    // one, and what the same account was writing is kept.
    client.setQueryData(meQuery.queryKey, null);
    return;
  }
  if (now && now.id === before?.id) {
    client.setQueryData(meQuery.queryKey, now);
    // With the sign-in the other tab forgot what this device kept: all that was read here is kept anew.
    const { id } = now;
    import('./offline-copy.ts').then(({ keepCopy }) => keepCopy(client, id)()).catch(() => {});
    return;
  }
  // Off line, the answer would be whoever this device keeps a copy of.
  dropCopy();
  // While nobody is signed in, the shell shows no page that would ask again for what the account that answers does not take over.
  await client.resetQueries({ queryKey: ME });
}

let leaving = false;

/** Tells the shell that the user is logging out, so that the end of the session is not taken for a lost one. */
export function markLeaving(value: boolean): void {
  leaving = value;
}

/** Whether the account is logging out on purpose. */
export function isLeaving(): boolean {
  return leaving;
}

let endedBy: string | null = null;

/**
 * Takes note that `error` answered a call of an account whose session has ended, so that the shell asks to log in again;
 * does nothing for any other error.
 */
export function noticeEndedSession(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return;
  if (error.message !== ERRORS.unauthenticated.message) endedBy = error.message;
  client.setQueryData(meQuery.queryKey, null);
}

/** What could not be done because the session had ended (spec §8); null when nothing was said. */
export function whatEnded(): string | null {
  return endedBy;
}

/** Forgets it: somebody is signed in again. */
export function forgetWhatEnded(): void {
  endedBy = null;
}

const RETURN_TO = 'trasvia:return-to';

/** Keeps the location a visitor wanted (spec §2), until `takeReturnTo`; it survives the way over `/` to `/login`. */
export function rememberReturnTo(path: string): void {
  sessionStorage.setItem(RETURN_TO, path);
}

/** The remembered location, once; null when there is none. Only paths of the application are believed. */
export function takeReturnTo(): string | null {
  const path = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  return path?.startsWith('/app/') ? path : null;
}

/** Where an account starts (spec §2): the invoice administrator at its invoices, everybody else at home. */
export function landingOf(me: Me): string {
  return me.permissions.manageAllInvoices ? '/app/admin/invoices' : '/app/home';
}

/** The name shown for an account (spec §2): username, full name, the e-mail before the @, 'Utente'. */
export function displayName(me: Pick<Me, 'username' | 'fullName' | 'email'>): string {
  return me.username || me.fullName || me.email.split('@', 1)[0] || 'Utente';
}
