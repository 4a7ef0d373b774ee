import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { noticeEndedSession } from './session.ts';

const FIVE_MINUTES = 5 * 60_000;
const A_DAY = 24 * 60 * 60_000;

/** Whoever waited as long as that is told, and tries again or not: a second silence would be as long. */
const fellSilent = (error: Error) => error instanceof ApiError && error.code === 'silence';

/**
 * A refusal stays a refusal, and what was given up because the account is left must not be asked for a second later, when
 * nobody is signed in; anything else that was answered, or failed at once, is worth one more try (spec §9).
 */
function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !refused && !fellSilent(error) && error.name !== 'AbortError';
}

/** The one retry of spec §9 for writes that are done once however often they arrive: others may have been done unheard. */
function retryRepeatable(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.repeatable && !fellSilent(error);
}

// The library takes every page to be on line until the first query is shown, and hears of nothing before: a page whose
// connection is gone by then would not notice that it is back.
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
      // Five minutes fresh; longer than that it is read only while it is asked for again, or offline.
      gcTime: A_DAY,
      retry: retryOnce,
      refetchOnWindowFocus: false,
      // With this network mode it would not be.
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { retry: retryRepeatable, networkMode: 'always' },
  },
});
