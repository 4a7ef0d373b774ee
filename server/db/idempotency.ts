import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import { AppError } from '#server/errors.ts';
import type { employees, projects, requirements, supportRequests, tripRequests } from './schema.ts';
import type { Database } from './scope.ts';

/** One attempt to create something, as stored in the created record: its key, and a digest of the content sent. */
export type Attempt = { idempotencyKey: string; idempotencyDigest: string };

/** The attempt that sends `content` under `key`; null without a key. */
export function attemptOf(key: string | null, content: unknown): Attempt | null {
  if (key === null) return null;
  const idempotencyDigest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { idempotencyKey: key, idempotencyDigest };
}

/**
 * Checks that `attempt` repeats the one that created a record.
 * @throws AppError idempotency_key_reused when its content differs
 */
export function requireSameContent(
  attempt: Attempt | null,
  made: { idempotencyDigest: string | null },
): void {
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
 * The record that `owner` already created with this attempt; null when there is none, and without a key.
 * @throws AppError idempotency_key_reused when the key was used for other content
 */
export async function findCreated<Table extends Keyed>(
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
  requireSameContent(attempt, row);
  return row;
}

/** `findCreated`, for whether there is one. */
export async function isCreated(...attempt: Parameters<typeof findCreated>): Promise<boolean> {
  return (await findCreated(...attempt)) !== null;
}

/**
 * `findCreated` for an insert that conflicted on its key.
 * @param tx the transaction of that insert, which waited for the conflicting one to end
 * @throws AppError idempotency_key_reused when the key was used for other content
 */
export async function requireCreated<Table extends Keyed>(
  tx: Database,
  table: Table,
  owner: UserId,
  attempt: Attempt | null,
): Promise<Table['$inferSelect']> {
  const row = await findCreated(tx, table, owner, attempt);
  if (!row) throw new Error('an insert conflicted, but no record has the same key');
  return row;
}
