import { useNavigate } from 'react-router';
import { forgetReads } from './account-reads.ts';
import { ApiError, allowReads, refuseReads } from './api.ts';
import { queryClient } from './query-client.ts';
import { dropCopy, markLeaving, meQuery } from './session.ts';
import { announceSession } from './session-channel.ts';
import { tabStorage } from './storage.ts';
import { toast } from './toast.ts';

/** In sessionStorage: the toast of a logout, until the public home is shown. */
const LEFT = 'trasvia:left';

/** Stops reads for the account, which would fail once its session is gone. */
function startLeaving(): void {
  markLeaving(true);
  // The shell allows reads again when it unmounts together with its pages.
  refuseReads();
}

/** The account stays after all; aborted reads are repeated. */
function stopLeaving(): void {
  markLeaving(false);
  allowReads();
  void queryClient.invalidateQueries();
}

/** Removes what this device stores of the account. */
function forgetStored(): void {
  dropCopy();
  // Loaded on demand, because the frame itself has no form.
  import('./drafts.ts').then(({ forgetDrafts }) => forgetDrafts()).catch(() => {});
}

function forgetAccount(): void {
  forgetStored();
  queryClient.setQueryData(meQuery.queryKey, null);
  forgetReads(queryClient);
}

/** Leaves an account that was signed out deliberately in another tab. */
export function followLogout(): void {
  startLeaving();
  forgetAccount();
}

/** For `catch` of a logout: a session that has already ended counts as logged out. Rethrows other errors. */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) throw error;
}

/** Returns once the toast of a logout during which the document was reloaded; null when there was none. */
export function takeLeft(): string | null {
  const said = tabStorage.read(LEFT);
  tabStorage.remove(LEFT);
  return said;
}

/**
 * Leaves the account, here and in the other tabs, for the public home (spec §2): `end` ends its session, `said` is the
 * toast, that of a logout if omitted.
 * @throws what `end` throws; the account then stays signed in
 */
export function useLeave(): (end: () => Promise<unknown>, said?: string) => Promise<void> {
  const navigate = useNavigate();
  return async (end, said = 'Logout effettuato con successo') => {
    startLeaving();
    await queryClient.cancelQueries();
    try {
      await end();
    } catch (error) {
      stopLeaving();
      throw error;
    }
    // At once: until they know, a read of another tab would tell its user that the session has expired.
    announceSession('signed-out');
    // The code of the public home may never arrive.
    forgetStored();
    toast({ title: said });
    // After a deployment, the code of the public home has another name, so the document is reloaded here.
    tabStorage.write(LEFT, said);
    await navigate('/');
    tabStorage.remove(LEFT);
    forgetAccount();
  };
}
