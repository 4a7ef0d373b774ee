import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

const limiters = new WeakMap<Pool, RateLimiterPostgres>();

/** The counters of a pool's database: they apply across all processes. */
export function countersOn(pool: Pool): RateLimiterPostgres {
  let limiter = limiters.get(pool);
  if (!limiter) {
    // Points and duration differ from call to call, so the limiter only counts; the callers compare.
    limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: '',
      points: Number.MAX_SAFE_INTEGER,
      duration: 1,
    });
    limiters.set(pool, limiter);
  }
  return limiter;
}

/** What is stored of the `key` of a counter: a hash, so it may contain an address or an e-mail. */
export function counterKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/**
 * Whether `key` occurs for the first time within `seconds`, across all processes and even with rate limits off: for
 * things that are valid once. Only its hash is stored.
 */
export async function isFirst(pool: Pool, key: string, seconds: number): Promise<boolean> {
  const { consumedPoints } = await countersOn(pool).consume(counterKey(key), 1, { customDuration: seconds });
  return consumedPoints === 1;
}

/** Lets `key` occur for the first time again, because what it stands for was not used after all. */
export async function undoFirst(pool: Pool, key: string): Promise<void> {
  await countersOn(pool).delete(counterKey(key));
}
