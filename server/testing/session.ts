import type { Auth } from '#server/auth/auth.ts';
import type { TestUser } from './factories.ts';

/**
 * Opens a session of `user` as a login does that is not to be remembered, but without the password: to verify one keeps a
 * processor busy for a tenth of a second, and most tests are about something else.
 * @returns the `Set-Cookie` headers of the answer
 */
export async function openSession(auth: Auth, user: TestUser): Promise<string[]> {
  const { headers } = await auth.api.openSession({
    body: { userId: user.id, remember: false },
    returnHeaders: true,
  });
  return headers.getSetCookie();
}
