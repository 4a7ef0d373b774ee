import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';

/**
 * How long an idle connection is kept. A new one delays its request by starting a PostgreSQL process, checking a
 * password, and planning every statement again.
 */
const KEPT_MS = 10 * 60_000;

/**
 * How long a start or a command waits for a connection, in ms. No caller waits for it, and on a busy machine loading the
 * application alone keeps the process from reading an answer for seconds.
 */
export const START_CONNECT_MS = 20_000;

/**
 * Settings of each session, whatever the database or its roles set: dates are read and ordered as text, a statement that waited
 * for a row must see what it waited for, and how long it may wait is limited by the time a statement may take.
 */
const SESSION_OPTIONS = String.raw`-c datestyle=ISO -c default_transaction_isolation=read\ committed -c lock_timeout=0`;

/**
 * How to connect to `url` with the settings of the product's sessions. `options` in the address, which `pg` would use instead
 * of them, come first, so that they apply to everything else.
 *
 * @param own further settings of these sessions, as in `-c role=trasvia_app`
 */
export function sessionAt(url: string, own = ''): { connectionString: string; options: string } {
  // An address that is not valid has no options; connecting to it says what is wrong.
  const address = URL.parse(url);
  const given = address?.searchParams.get('options') ?? '';
  address?.searchParams.delete('options');
  const connectionString = given === '' || address === null ? url : address.href;
  return { connectionString, options: [given, SESSION_OPTIONS, own].join(' ').trim() };
}

/** Errors that broke pooled connections. */
const breaks = new WeakSet<Error>();

/**
 * Records the errors of database connections. By their network codes alone they could not be told from errors of other
 * services.
 */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.connection.on('error', (error) => breaks.add(error));
  }
}

/** Messages of `pg` for a lost connection; the last is for a statement sent after the break, such as Drizzle's rollback. */
const LOST = /timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** Whether `error` means that the database was unreachable or the connection to it broke. */
export function isConnectionFailure(error: Error): boolean {
  return breaks.has(error) || LOST.test(error.message);
}

/**
 * A pool whose connections may break without ending the process. A broken idle connection is replaced at the next query;
 * errors of a connection that is being closed, which the pool no longer handles, are ignored. A running query still fails.
 *
 * @param onLost called when an idle connection breaks
 */
export function openPool(config: PoolConfig, onLost: (error: Error) => void = () => undefined): Pool {
  const session = sessionAt(config.connectionString ?? '', config.options);
  const pool = new Pool({ idleTimeoutMillis: KEPT_MS, ...config, ...session, Client: PooledClient });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error);
  });
  return pool;
}
