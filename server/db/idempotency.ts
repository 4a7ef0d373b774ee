import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import { AppError } from '#server/errors.ts';
import type { employees, projects, requirements, supportRequests, tripRequests } from './schema.ts';
import type { Database } from './scope.ts';

/** One attempt to make something, as the record that comes of it keeps it: its key, and a digest of what was sent. */
export type Attempt = { idempotencyKey: string; idempotencyDigest: string };

/** The attempt that sends `content` under `key`; null without a key. */
export function attemptOf(key: string | null, content: unknown): Attempt | null {
  if (key === null) return null;
  const idempotencyDigest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { idempotencyKey: key, idempotencyDigest };
}

/**
 * That `attempt` is the one which made a record before, sent again.
 * @throws AppError idempotency_key_reused when it sends something else
 */
export function requireSame(attempt: Attempt | null, made: { idempotencyDigest: string | null }): void {
  const { idempotencyDigest } = made;
  if (idempotencyDigest !== null && idempotencyDigest !== attempt?.idempotencyDigest)
    throw new AppError('idempotency_key_reused');
}

/** The tables whose records are unique by owner and Idempotency-Key. */
type Keyed =
  | typeof employees
  | typeof projects
  | typeof requirements
  | typeof supportRequests
  | typeof tripRequests;

/**
 * What `owner` made with this attempt before; null when they did not, and without a key.
 * @throws AppError idempotency_key_reused when something else was made with the key
 */
export async function findMade<Table extends Keyed>(
  db: Database,
  table: Table,
  owner: UserId,
  attempt: Attempt | null,
): Promise<Table['$inferSelect'] | null> {
  if (attempt === null) return null;
  const [row] = await db
    .select()
    .from(table as Keyed)
    .where(and(eq(table.userId, owner), eq(table.idempotencyKey, attempt.idempotencyKey)));
  if (!row) return null;
  requireSame(attempt, row);
  return row;
}

/**
 * `findMade`, for an insert that met its key as a conflict.
 * @param tx the transaction of that insert, which waited for the other one to end
 * @throws AppError idempotency_key_reused when something else was made with the key
 */
export async function madeBefore<Table extends Keyed>(
  tx: Database,
  table: Table,
  owner: UserId,
  attempt: Attempt | null,
): Promise<Table['$inferSelect']> {
  const row = await findMade(tx, table, owner, attempt);
  if (!row) throw new Error('an insert met a conflict without a record of the same key');
  return row;
}
