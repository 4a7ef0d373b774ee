import { eq } from 'drizzle-orm';
import { type Attempt, requireSameContent } from '#server/db/idempotency.ts';
import { contactRequests } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import type { Services } from '#server/services.ts';

/**
 * Whether this attempt already stored a request; in the system's scope, because a visitor may read none.
 * @throws AppError idempotency_key_reused when the key was used for other content
 */
export async function isStored({ pool }: Pick<Services, 'pool'>, attempt: Attempt | null): Promise<boolean> {
  if (attempt === null) return false;
  const [row] = await readAs(pool, SYSTEM)
    .select({ idempotencyDigest: contactRequests.idempotencyDigest })
    .from(contactRequests)
    .where(eq(contactRequests.idempotencyKey, attempt.idempotencyKey));
  if (!row) return false;
  requireSameContent(attempt, row);
  return true;
}
