import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';

/**
 * How long an idle connection is kept. A new one costs the request that needs it a process of PostgreSQL, a password check,
 * and planning every statement again.
 */
const KEPT_MS = 10 * 60_000;

/** The errors with which connections of pools broke. */
const breaks = new WeakSet<Error>();

/** Marks the errors of database connections: otherwise a network code is all they have, as errors of other services do. */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.connection.on('error', (error) => breaks.add(error));
  }
}

/** What `pg` says of a lost connection; the last of a statement sent after the break, such as Drizzle's rollback. */
const LOST = /timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** Whether `error` says that the database was out of reach, or the connection to it broke. */
export function isConnectionFailure(error: Error): boolean {
  return breaks.has(error) || LOST.test(error.message);
}

/**
 * A pool whose connections may be cut without ending the process: an idle one is replaced at the next query; one that is
 * being closed, whose errors the pool no longer handles, is not needed any more. A query under way still fails.
 *
 * @param onLost called when an idle connection breaks
 */
export function openPool(config: PoolConfig, onLost: (error: Error) => void = () => undefined): Pool {
  const pool = new Pool({ idleTimeoutMillis: KEPT_MS, ...config, Client: PooledClient });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error);
  });
  return pool;
}
