import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { noticeEndedSession } from './session.ts';

const FIVE_MINUTES = 5 * 60_000;
const A_DAY = 24 * 60 * 60_000;

/** A call that fell silent is reported at once: the user has waited long enough, and a second silence would last as long. */
const fellSilent = (error: Error) => error instanceof ApiError && error.code === 'silence';

/**
 * One retry (spec §9), except for a refusal, which would be refused again, and for a read aborted because the account is being
 * left: a second later nobody is signed in.
 */
function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !refused && !fellSilent(error) && error.name !== 'AbortError';
}

/** The one retry of spec §9, for writes that take effect once however often they arrive: any other may have been done already. */
function retryRepeatable(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.repeatable && !fellSilent(error);
}

// The library assumes that a page is online and listens only from the first query on: a page that has lost its connection by
// then would not notice that it is back.
if (typeof document !== 'undefined') {
  onlineManager.subscribe(() => {});
  if (!navigator.onLine) onlineManager.setOnline(false);
}

/**
 * The cache of the application: five minutes fresh, one retry, no refetch on focus (spec §9). Offline a call fails with
 * its message instead of waiting silently; what was loaded before stays readable.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => noticeEndedSession(queryClient, error) }),
  mutationCache: new MutationCache({ onError: (error) => noticeEndedSession(queryClient, error) }),
  defaultOptions: {
    queries: {
      staleTime: FIVE_MINUTES,
      // After its five minutes it is shown only while it is being fetched again, or offline.
      gcTime: A_DAY,
      retry: retryOnce,
      refetchOnWindowFocus: false,
      // Off by default with this network mode.
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { retry: retryRepeatable, networkMode: 'always' },
  },
});
