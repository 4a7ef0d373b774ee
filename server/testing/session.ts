import type { Auth } from '#server/auth/auth.ts';
import type { TestUser } from './factories.ts';

/**
 * Opens a session of `user` like a login without "remember", but without the password: verifying one takes a tenth of a
 * second of processor time, and most tests are about something else.
 * @returns the `Set-Cookie` headers of the answer
 */
export async function openSession(auth: Auth, user: TestUser): Promise<string[]> {
  const { headers } = await auth.api.openSession({
    body: { userId: user.id, remember: false },
    returnHeaders: true,
  });
  return headers.getSetCookie();
}
