import { and, eq } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import type { employees, projects, supportRequests, tripRequests } from './schema.ts';
import type { Database } from './scope.ts';

/** The tables whose records are unique by owner and Idempotency-Key. */
type Keyed = typeof employees | typeof projects | typeof supportRequests | typeof tripRequests;

/**
 * What `owner` made with this key before, for an insert that met it as a conflict.
 * @param tx the transaction of that insert, which waited for the other one to end
 */
export async function madeBefore<Table extends Keyed>(
  tx: Database,
  table: Table,
  owner: UserId,
  idempotencyKey: string | null,
): Promise<Table['$inferSelect']> {
  const [row] = await tx
    .select()
    .from(table as Keyed)
    .where(and(eq(table.userId, owner), eq(table.idempotencyKey, idempotencyKey ?? '')));
  if (!row) throw new Error('an insert met a conflict without a record of the same key');
  return row;
}
