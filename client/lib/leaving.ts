import { useNavigate } from 'react-router';
import { toast } from '#client/ui/toast.ts';
import { forgetReads } from './account-reads.ts';
import { ApiError, allowReads, refuseReads } from './api.ts';
import { queryClient } from './query-client.ts';
import { dropCopy, markLeaving, meQuery } from './session.ts';
import { announceSession } from './session-channel.ts';

/** From here on nothing is read for the account: whatever is in sight would be refused once its session is gone. */
function startLeaving(): void {
  markLeaving(true);
  // The frame lets reads through again as it goes, and the pages with it.
  refuseReads();
}

/** The account stays after all: what was given up is read again. */
function stopLeaving(): void {
  markLeaving(false);
  allowReads();
  void queryClient.invalidateQueries();
}

function forgetAccount(): void {
  dropCopy();
  queryClient.setQueryData(meQuery.queryKey, null);
  forgetReads(queryClient);
  // Loaded on demand, for the frame itself has no form.
  import('./drafts.ts').then(({ forgetDrafts }) => forgetDrafts()).catch(() => {});
}

/** Leaves an account whose session was ended on purpose in another tab. */
export function leaveToo(): void {
  startLeaving();
  forgetAccount();
}

/**
 * Leaves the account, here and in the other tabs, for the public home (spec §2): pass what ends its session and what is
 * said then. A session that has ended already counts as ended.
 * @throws what `end` throws; the account stays then
 */
export function useLeave(): (end: () => Promise<unknown>, said: string) => Promise<void> {
  const navigate = useNavigate();
  return async (end, said) => {
    startLeaving();
    await queryClient.cancelQueries();
    try {
      await end();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) {
        stopLeaving();
        throw error;
      }
    }
    toast({ title: said });
    await navigate('/');
    forgetAccount();
    announceSession('signed-out');
  };
}
