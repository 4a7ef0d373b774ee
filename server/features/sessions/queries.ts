import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Session, sessionQuerySchema } from '#contract/sessions.ts';
import type { Actor } from '#server/auth/actor.ts';
import { describeDevice } from '#server/auth/device.ts';
import { afterCursor, instantText, type Ordering, orderBy, type Page, pageOf } from '#server/db/keyset.ts';
import { ownSessions } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';

const id = sql`${ownSessions.id}`;

/** The session of the request first, which counts as used after all others; then by last use. */
function byLastUse({ sessionId }: Actor): Ordering {
  const expression: SQL = sql`case when ${id} = ${sessionId}
    then timestamptz '2199-12-31T00:00:00Z' else ${ownSessions.updatedAt} end`;
  return { name: 'lastUse', direction: 'desc', key: { expression, type: 'timestamptz' } };
}

function present(row: typeof ownSessions.$inferSelect, actor: Actor): Session {
  return {
    id: row.id,
    current: row.id === actor.sessionId,
    device: describeDevice(row.userAgent),
    ipAddress: row.ipAddress || null,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** The actor's open sessions with their devices, in pages: the one of the request first, then by last use. */
export async function listSessions(
  db: Database,
  actor: Actor,
  query: z.output<typeof sessionQuerySchema>,
): Promise<Page<Session>> {
  const ordering = byLastUse(actor);
  const counted = db.select({ total: sql`count(*)::int` }).from(ownSessions);
  const rows = await db
    .select({
      ...getTableColumns(ownSessions),
      key: instantText(ordering.key.expression),
      total: sql<number>`(${counted})`,
    })
    .from(ownSessions)
    .where(afterCursor(ordering, id, query.cursor, 'text'))
    .orderBy(orderBy(ordering, id))
    .limit(query.limit + 1);
  return pageOf(db, rows, query, {
    ordering,
    counted,
    none: 0,
    positionOf: (row) => ({ value: row.key, id: row.id }),
    present: (row) => present(row, actor),
  });
}

/** All open sessions of the actor, in the order of {@link listSessions}. */
export async function findAllSessions(db: Database, actor: Actor): Promise<Session[]> {
  const rows = await db
    .select()
    .from(ownSessions)
    .orderBy(orderBy(byLastUse(actor), id));
  return rows.map((row) => present(row, actor));
}
