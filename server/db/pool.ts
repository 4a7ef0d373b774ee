import { Pool, type PoolConfig } from 'pg';

/**
 * How long a connection is kept that nobody needs: a new one is a process of PostgreSQL, a password to prove and every plan
 * to be made again, which the request that asks for it waits for.
 */
const KEPT_MS = 10 * 60_000;

/**
 * A pool whose connections may be cut without ending the process: one that is idle is replaced at the next query, and
 * one that is being closed, to which the pool no longer listens, was not needed any more. A query under way still fails.
 *
 * @param onLost told when an idle connection broke
 */
export function openPool(config: PoolConfig, onLost: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({ idleTimeoutMillis: KEPT_MS, ...config });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error);
  });
  return pool;
}
