import { queryClient } from './query-client.ts';
import { markLeaving } from './session.ts';

/** Before an account is left on purpose: what is being read for it is given up, and asked for no second time. */
export async function startLeaving(): Promise<void> {
  markLeaving(true);
  await queryClient.cancelQueries();
}

/** The account stays after all: what was given up is read again. */
export function stopLeaving(): void {
  markLeaving(false);
  void queryClient.invalidateQueries();
}
