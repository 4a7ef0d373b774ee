import type { sessionStateSchema } from '#contract/accounts.ts';
import type { z } from '#contract/validation.ts';

/**
 * Whether somebody is signed in, for a page that must not wait for the API client and its dependencies. Rejects without
 * a response, or with a server error.
 */
export async function isSomebodySignedIn(): Promise<boolean> {
  const response = await fetch('/api/auth/session');
  if (!response.ok) throw new Error(`the session is not known: ${response.status}`);
  const { me } = (await response.json()) as z.input<typeof sessionStateSchema>;
  return me !== null;
}
