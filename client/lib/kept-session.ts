import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { REFRESH_MINUTES } from '#contract/sessions.ts';
import { forgetReads } from './account-reads.ts';
import { answer, api } from './api.ts';
import { ME } from './copy-keys.ts';
import { newIdempotencyHeader } from './idempotency.ts';
import { followLogout } from './leaving.ts';
import { queryClient } from './query-client.ts';
import { followSignIn, noticeEndedSession } from './session.ts';
import { onSessionElsewhere } from './session-channel.ts';

const REFRESH_MS = REFRESH_MINUTES * 60_000;

// On a public page nothing follows the session, but the tab keeps in memory what it read before. Going back to the
// application would show that, without a request, to whoever is signed in by then.
if (typeof document !== 'undefined') {
  onSessionElsewhere(() => {
    if (queryClient.getQueryCache().find({ queryKey: ME })?.isActive()) return;
    forgetReads(queryClient);
    queryClient.removeQueries({ queryKey: ME });
  });
}

/**
 * Keeps the session of a visible page alive (spec §4): refreshes it when the page becomes visible and every ten
 * minutes, long before it ends. Also follows deliberate sign-outs and sign-ins in other tabs. Used by the application's
 * frame.
 */
export function useKeptSession(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSessionElsewhere((event) => {
        if (event === 'signed-out') followLogout();
        else void followSignIn(client);
      }),
    [client],
  );
  useEffect(() => {
    let refreshedAt = Date.now();
    const refresh = async () => {
      if (document.visibilityState === 'hidden' || Date.now() - refreshedAt < REFRESH_MS / 2) return;
      refreshedAt = Date.now();
      try {
        await answer(api.auth.refresh.$post({}, { headers: newIdempotencyHeader() }));
      } catch (error) {
        // Without a response the next tick tries again.
        noticeEndedSession(client, error);
      }
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [client]);
}
