import type { sessionStateSchema } from '#contract/accounts.ts';
import type { z } from '#contract/validation.ts';

/**
 * Whether somebody is signed in here, for a page that must not wait for the API client and all that it needs.
 * Rejects without an answer.
 */
export async function isSomebodySignedIn(): Promise<boolean> {
  const response = await fetch('/api/auth/session');
  const { me } = (await response.json()) as z.input<typeof sessionStateSchema>;
  return me !== null;
}
