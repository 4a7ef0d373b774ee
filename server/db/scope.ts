import { hash } from 'node:crypto';
import { NodePgDatabase, NodePgSession } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Actor, ActorKind, UserId } from '#server/auth/actor.ts';
import { AppError } from '#server/errors.ts';
import { databaseFailure } from './failure.ts';
import { PLANNED_ONCE } from './search.ts';
import { dialect } from './selection.ts';

/** Queries as one actor sees the data. */
export type Database = NodePgDatabase;

/** The identity that row-level security applies: an account, a visitor, or the product itself (jobs, operator). */
export type Scope = {
  readonly userId: UserId | null;
  readonly role: 'user' | 'admin' | 'invoice_admin' | 'system' | 'visitor';
};

const SCOPE_ROLE = { user: 'user', admin: 'admin', invoiceAdmin: 'invoice_admin' } as const satisfies Record<
  ActorKind,
  Scope['role']
>;

/**
 * The product itself: background jobs and the operator's commands. No actor has it. A request that acts in it has no row-level
 * security behind it, and names the account or record itself (docs/decisions/0002).
 */
export const SYSTEM: Scope = { userId: null, role: 'system' };
/** Somebody without an account. */
export const VISITOR: Scope = { userId: null, role: 'visitor' };

/** The scope of a signed-in actor. */
export function scopeOf(actor: Actor): Scope {
  return { userId: actor.userId, role: SCOPE_ROLE[actor.kind] };
}

function databaseOn(client: Pool | PoolClient): Database {
  return new NodePgDatabase(dialect, new NodePgSession(client, dialect, undefined), undefined);
}

/*
 * A read is one statement in one round trip: the settings that row-level security looks at are set in a materialised
 * CTE, and the query is joined to it laterally behind an OFFSET 0 fence, so that PostgreSQL has to evaluate the CTE
 * first. `true` makes the settings local to the statement: nothing is left on the pooled connection.
 */
function scopedRead(text: string, parameters: number): string {
  return `with "scope" as materialized (
  select set_config('app.user_id', $${parameters + 1}, true) as "u", set_config('app.role', $${parameters + 2}, true) as "r"
) select "read".* from "scope", lateral (
  select * from (${text}) "rows" where "scope"."u" is not null and "scope"."r" is not null offset 0
) "read"`;
}

/** Limits the prepared statements of a connection, in case statement texts vary. The code has fewer. */
const MAX_PREPARED_STATEMENTS = 200;

/** A statement. With a `name`, each connection plans it once and keeps the plan. */
type Statement = { text: string; name?: string };

/** By text; per pool, because the connections of each pool keep their own plans. */
const statements = new WeakMap<Pool, Map<string, Statement>>();

function statementsOf(pool: Pool): Map<string, Statement> {
  const known = statements.get(pool) ?? new Map<string, Statement>();
  statements.set(pool, known);
  return known;
}

/**
 * The statement of a read. The scope is passed as parameters, so that one plan serves everybody. A search with a LIKE
 * pattern is planned each time, because the best plan depends on the pattern, unless the pattern is hidden from the
 * planner (`plannedOnce` in search.ts).
 */
function statementOf(pool: Pool, text: string, parameters: number): Statement {
  const ofPool = statementsOf(pool);
  const known = ofPool.get(text);
  if (known) return known;
  if (!/^\s*\(?\s*(select|with)\b/i.test(text)) {
    throw new Error(`readAs() runs SELECT only, got: ${text.slice(0, 40)}`);
  }
  const scoped = scopedRead(text, parameters);
  const varies = /\blike\b/i.test(text) && !text.includes(PLANNED_ONCE);
  if (varies || ofPool.size >= MAX_PREPARED_STATEMENTS) return { text: scoped };
  const statement = { text: scoped, name: `read_${hash('sha256', text, 'base64url')}` };
  ofPool.set(text, statement);
  return statement;
}

type QueryInput = { text: string; values?: unknown[] } | string;

/**
 * A database that reads as `scope`, with one round trip per query. It accepts SELECT only: writes use `transaction`,
 * which makes them all-or-nothing.
 */
export function readAs(pool: Pool, scope: Scope): Database {
  const client = {
    query(input: QueryInput, values?: unknown[]): Promise<QueryResult> {
      const config = typeof input === 'string' ? { text: input, values: values ?? [] } : { ...input };
      const parameters = values ?? config.values ?? [];
      return pool.query({
        ...config,
        ...statementOf(pool, config.text, parameters.length),
        values: [...parameters, scope.userId ?? '', scope.role],
      });
    },
  };
  return databaseOn(client as unknown as Pool);
}

/** Maximum number of attempts for a transaction that PostgreSQL ends because of a deadlock. */
const ATTEMPTS = 3;
const DEADLOCK = '40P01';

/**
 * Runs `work` in one transaction as `scope`: all of it commits or none. After a deadlock `work` runs again, so its
 * effects outside the database must be repeatable.
 * @throws AppError unauthenticated when the account was erased, suspended or demoted meanwhile; whatever `work` throws, after
 *   the rollback
 */
export async function transaction<Result>(
  pool: Pool,
  scope: Scope,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, scope, work);
    } catch (error) {
      if (attempt === ATTEMPTS || databaseFailure(error)?.code !== DEADLOCK) throw error;
    }
  }
}

async function attemptTransaction<Result>(
  pool: Pool,
  scope: Scope,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const { rows } = await client.query<{ alive: boolean }>('select enter_scope($1, $2) as alive', [
      scope.userId ?? '',
      scope.role,
    ]);
    if (!rows[0]?.alive) throw new AppError('unauthenticated');
    const result = await work(databaseOn(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
