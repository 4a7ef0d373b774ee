import { and, getTableColumns, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { UndeliveredMail, undeliveredMailQuerySchema } from '#contract/mail-messages.ts';
import { afterCursor, literalLimit, newestFirst, orderBy, type Page, pageOf } from '#server/db/keyset.ts';
import { mailMessages } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';

const id = sql`${mailMessages.id}`;
const NEWEST_FIRST = newestFirst(id);

/** Failed at least once and has not been delivered. In literals, so that a plan kept for all values uses the index of these. */
export const undelivered = sql`${mailMessages.state} <> 'sent' and ${mailMessages.attempts} > 0`;

/** Messages that failed at least once and have not been delivered, newest first. Needs an administrator's scope. */
export async function listUndeliveredMail(
  db: Database,
  query: z.output<typeof undeliveredMailQuerySchema>,
): Promise<Page<UndeliveredMail>> {
  const counted = db.select({ total: sql`count(*)::int` }).from(mailMessages).where(undelivered);
  const rows = await db
    .select({ ...getTableColumns(mailMessages), total: sql<number>`(${counted})` })
    .from(mailMessages)
    .where(and(undelivered, afterCursor(NEWEST_FIRST, id, query.cursor)))
    .orderBy(orderBy(NEWEST_FIRST, id))
    .limit(literalLimit(query.limit + 1));
  return pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted,
    none: 0,
    positionOf: (row) => ({ value: String(row.id), id: row.id }),
    present: (row) => ({
      id: row.id,
      subject: row.subject,
      recipients: row.pendingRecipients,
      state: row.state === 'failed' ? 'failed' : 'queued',
      attempts: row.attempts,
      failure: row.lastError === null ? null : { reason: row.lastError, details: row.lastErrorDetails },
      createdAt: row.createdAt.toISOString(),
    }),
  });
}
