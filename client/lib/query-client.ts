import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { noticeEndedSession } from './session.ts';

const A_DAY = 24 * 60 * 60_000;

/**
 * A request without progress is reported at once: the user has waited long enough, and a retry could take as long
 * again.
 */
const fellSilent = (error: Error) => error instanceof ApiError && error.code === 'silence';

/**
 * One retry (spec §9), except for refusals, which would be refused again, and for reads aborted because the account is
 * being left.
 */
function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !refused && !fellSilent(error) && error.name !== 'AbortError';
}

/**
 * The single retry of spec §9, only for writes that take effect once however often they arrive; others may have been
 * executed.
 */
function retryRepeatable(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.repeatable && !fellSilent(error);
}

// TanStack Query assumes that a page is online and only listens from the first query on. A page that is offline by then
// would not notice when the connection returns.
if (typeof document !== 'undefined') {
  onlineManager.subscribe(() => {});
  if (!navigator.onLine) onlineManager.setOnline(false);
}

/**
 * The application's query cache: one retry, no refetch on focus (spec §9). Offline, a call
 * fails with its message instead of waiting silently, and loaded data stays readable.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => noticeEndedSession(queryClient, error) }),
  mutationCache: new MutationCache({ onError: (error) => noticeEndedSession(queryClient, error) }),
  defaultOptions: {
    queries: {
      // How long data is fresh is set by the shell (`freshToday`). Older data is shown only during a refetch or offline.
      gcTime: A_DAY,
      retry: retryOnce,
      refetchOnWindowFocus: false,
      // Off by default in this network mode.
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { retry: retryRepeatable, networkMode: 'always' },
  },
});
