import type { sessionStateSchema } from '#contract/accounts.ts';
import type { z } from '#contract/validation.ts';

/**
 * Whether somebody is signed in here, for a page that must not wait for the API client and all that it needs.
 * Rejects without an answer, or with that of a server in trouble.
 */
export async function isSomebodySignedIn(): Promise<boolean> {
  const response = await fetch('/api/auth/session');
  if (!response.ok) throw new Error(`the session is not known: ${response.status}`);
  const { me } = (await response.json()) as z.input<typeof sessionStateSchema>;
  return me !== null;
}
