import { describeDevice, type Session } from '#contract/sessions.ts';
import type { Actor } from '#server/auth/actor.ts';
import { mapAuthErrors } from '#server/auth/failure.ts';
import type { Origin } from '#server/auth/request.ts';
import type { AccountServices } from '#server/features/accounts/commands.ts';

/** The actor's sessions with their devices, the one of the request first, then by last use. */
export async function findSessions(
  services: AccountServices,
  actor: Actor,
  origin: Origin,
): Promise<Session[]> {
  const rows = await mapAuthErrors(services.auth.api.listSessions({ headers: origin.headers }));
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
