import { and, getTableColumns, gt, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { UndeliveredMail, undeliveredMailQuerySchema } from '#contract/mail-messages.ts';
import { afterCursor, encodeCursor, type Ordering, orderBy, writtenLimit } from '#server/db/keyset.ts';
import { mailMessages } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';

const id = sql`${mailMessages.id}`;
const newestFirst: Ordering = { name: 'newest', key: { expression: id, type: 'bigint' }, direction: 'desc' };

/** Messages that failed at least once and have not been delivered, newest first. Needs an administrator's scope. */
export async function listUndeliveredMail(
  db: Database,
  { limit, cursor }: z.output<typeof undeliveredMailQuerySchema>,
): Promise<{ items: UndeliveredMail[]; nextCursor: string | null; total: number }> {
  const undelivered = and(ne(mailMessages.state, 'sent'), gt(mailMessages.attempts, 0));
  const counted = db.select({ total: sql`count(*)::int` }).from(mailMessages).where(undelivered);
  const rows = await db
    .select({ ...getTableColumns(mailMessages), total: sql<number>`(${counted})` })
    .from(mailMessages)
    .where(and(undelivered, afterCursor(newestFirst, id, cursor)))
    .orderBy(orderBy(newestFirst, id))
    .limit(writtenLimit(limit + 1));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => ({
      id: row.id,
      subject: row.subject,
      recipients: row.pendingRecipients,
      state: row.state === 'failed' ? 'failed' : 'queued',
      attempts: row.attempts,
      failure: row.lastError === null ? null : { reason: row.lastError, details: row.lastErrorDetails },
      createdAt: row.createdAt.toISOString(),
    })),
    nextCursor:
      rows.length > limit && last ? encodeCursor(newestFirst, { value: String(last.id), id: last.id }) : null,
    total: rows[0]?.total ?? 0,
  };
}
