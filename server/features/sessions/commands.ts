import type { Actor } from '#server/auth/actor.ts';
import { recordAlone } from '#server/auth/audit.ts';
import { SHORT_SESSION_MS } from '#server/auth/auth.ts';
import type { Origin } from '#server/auth/request.ts';
import { findSession, requireOpenSession } from '#server/auth/session.ts';
import { AppError } from '#server/errors.ts';
import type { AccountServices } from '#server/services.ts';

/**
 * Ends one session of the actor.
 * @throws AppError session_not_found when it has ended or belongs to somebody else, unauthenticated when the actor's
 *   own session has ended
 */
export async function endSession(
  services: AccountServices,
  actor: Actor,
  id: string,
  { ipAddress }: Origin,
): Promise<void> {
  const { auth, pool } = services;
  await requireOpenSession(auth, actor);
  const { adapter } = await auth.$context;
  // Not by the library's endpoint, which hides why a session could not be deleted.
  const ended = await adapter.deleteMany({
    model: 'session',
    where: [
      { field: 'id', value: id },
      { field: 'userId', value: actor.userId },
    ],
  });
  if (ended === 0) throw new AppError('session_not_found');
  await recordAlone(pool, {
    action: 'sessions_ended',
    actorId: actor.userId,
    subjectId: actor.userId,
    ipAddress,
    detail: { scope: 'one' },
  });
}

/**
 * Checks the session against the database, records its use and extends it: to a day from now; to 30 days if it is
 * remembered and was last extended more than a day ago. Never beyond ninety days from its login.
 * @returns the cookies to set, and when the session expires unless refreshed again
 * @throws AppError unauthenticated
 */
export async function refreshSession(
  services: AccountServices,
  origin: Origin,
): Promise<{ expiresAt: Date; cookies: string[] }> {
  const { auth } = services;
  const { session: found, cookies } = await findSession(auth, origin.headers, false);
  if (!found) throw new AppError('unauthenticated');
  const { token, expiresAt } = found.session;
  // The library only extends remembered sessions.
  const prolonged = new Date(Math.max(expiresAt.getTime(), Date.now() + SHORT_SESSION_MS));
  const { internalAdapter } = await auth.$context;
  const open = await internalAdapter.updateSession(token, { expiresAt: prolonged, updatedAt: new Date() });
  if (!open) throw new AppError('unauthenticated');
  return { expiresAt: open.expiresAt, cookies };
}
