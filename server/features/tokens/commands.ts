import type { Actor } from '#server/auth/actor.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import { withSession } from '#server/auth/session.ts';
import type { AccountServices } from '#server/services.ts';

/**
 * A signed token that names the account of the session in `headers`. After a change of AUTH_SECRET, which the key is
 * encrypted with, the first request makes a new key.
 * @throws AppError unauthenticated
 */
export async function issueToken({ auth }: AccountServices, actor: Actor, headers: Headers) {
  const sign = () => withSession(auth, actor, mapAuthErrors(auth.api.getToken({ headers })));
  return sign().catch(async (error: unknown) => {
    const isUnreadable = error instanceof Error && error.message.startsWith('Failed to decrypt private key');
    if (!isUnreadable) throw error;
    await auth.api.makeKey();
    return sign();
  });
}
