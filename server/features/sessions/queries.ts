import type { Session } from '#contract/sessions.ts';
import type { Actor } from '#server/auth/actor.ts';
import { describeDevice } from '#server/auth/device.ts';
import type { AccountServices } from '#server/services.ts';

/** The actor's open sessions with their devices, the one of the request first, then by last use. */
export async function findSessions({ auth }: AccountServices, actor: Actor): Promise<Session[]> {
  const { internalAdapter } = await auth.$context;
  // Not by the library's endpoint, which hides why they could not be read: a lost database would look like a bug.
  const rows = await internalAdapter.listSessions(actor.userId, { onlyActiveSessions: true });
  const sessions = rows.map((row) => ({
    id: row.id,
    current: row.id === actor.sessionId,
    device: describeDevice(row.userAgent ?? null),
    ipAddress: row.ipAddress || null,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
  return sessions.sort(
    (one, other) =>
      Number(other.current) - Number(one.current) || other.lastUsedAt.localeCompare(one.lastUsedAt),
  );
}
