import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { meQuery } from './session.ts';

const FIVE_MINUTES = 5 * 60_000;

/** A refusal stays a refusal; anything else is worth one more try (spec §9). */
function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !refused;
}

/** A write is repeated only when the server said that it did not take it. */
function retryUntaken(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.status === 503;
}

/** A call answered 'unauthenticated': the session has ended, and the shell asks to log in again. */
function noticeEndedSession(error: Error): void {
  if (error instanceof ApiError && error.code === 'unauthenticated') {
    queryClient.setQueryData(meQuery.queryKey, null);
  }
}

/**
 * The cache of the application: five minutes fresh, one retry, no refetch on focus (spec §9). Offline a call fails with
 * its message instead of waiting silently; what was loaded before stays readable.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: {
    queries: {
      staleTime: FIVE_MINUTES,
      gcTime: FIVE_MINUTES,
      retry: retryOnce,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: retryUntaken, networkMode: 'always' },
  },
});
