import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';

/**
 * How long a connection is kept that nobody needs: a new one is a process of PostgreSQL, a password to prove and every plan
 * to be made again, which the request that asks for it waits for.
 */
const KEPT_MS = 10 * 60_000;

/** What connections of pools broke with. */
const breaks = new WeakSet<Error>();

/** A connection whose failures can be told from those of others: all that either bears is a code of the network. */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.connection.on('error', (error) => breaks.add(error));
  }
}

/** How `pg` says so itself; the last of a statement that comes after the break, as the library's rollback does. */
const LOST = /timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** Whether `error` says that the database was out of reach, or the connection to it broke. */
export function isConnectionFailure(error: Error): boolean {
  return breaks.has(error) || LOST.test(error.message);
}

/**
 * A pool whose connections may be cut without ending the process: one that is idle is replaced at the next query, and
 * one that is being closed, to which the pool no longer listens, was not needed any more. A query under way still fails.
 *
 * @param onLost told when an idle connection broke
 */
export function openPool(config: PoolConfig, onLost: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({ idleTimeoutMillis: KEPT_MS, ...config, Client: PooledClient });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error);
  });
  return pool;
}
