import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Actor, ActorKind, UserId } from '#server/auth/actor.ts';

/** Queries as one actor sees the data. */
export type Database = NodePgDatabase;

/** Whose eyes row-level security looks through: an account, a visitor, or the product itself (jobs, operator). */
export type Scope = {
  readonly userId: UserId | null;
  readonly role: 'user' | 'admin' | 'invoice_admin' | 'system' | 'visitor';
};

const SCOPE_ROLE = { user: 'user', admin: 'admin', invoiceAdmin: 'invoice_admin' } as const satisfies Record<
  ActorKind,
  Scope['role']
>;

/** The product itself: background jobs and the operator's commands. Never derived from a request. */
export const SYSTEM: Scope = { userId: null, role: 'system' };
/** Somebody without an account. */
export const VISITOR: Scope = { userId: null, role: 'visitor' };

/** The scope of a signed-in actor. */
export function scopeOf(actor: Actor): Scope {
  return { userId: actor.userId, role: SCOPE_ROLE[actor.kind] };
}

const settings = { casing: 'snake_case' } as const;

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

type QueryInput = { text: string; values?: unknown[] } | string;

/**
 * A database that reads as `scope` sees the data, one round trip a query. It accepts SELECT only: writes go through
 * `transaction`, which is what makes them all-or-nothing.
 */
export function readAs(pool: Pool, scope: Scope): Database {
  const client = {
    query(input: QueryInput, values?: unknown[]): Promise<QueryResult> {
      const config = typeof input === 'string' ? { text: input, values: values ?? [] } : { ...input };
      const parameters = values ?? config.values ?? [];
      if (!/^\s*\(?\s*(select|with)\b/i.test(config.text)) {
        throw new Error(`readAs() runs SELECT only, got: ${config.text.slice(0, 40)}`);
      }
      return pool.query({
        ...config,
        text: scopedRead(config.text, parameters.length),
        values: [...parameters, scope.userId ?? '', scope.role],
      });
    },
  };
  return drizzle(client as unknown as Pool, settings);
}

/**
 * Runs `work` in one transaction as `scope`: all of it commits or none.
 * @throws whatever `work` throws, after the rollback
 */
export async function transaction<Result>(
  pool: Pool,
  scope: Scope,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query("select set_config('app.user_id', $1, true), set_config('app.role', $2, true)", [
      scope.userId ?? '',
      scope.role,
    ]);
    const result = await work(drizzle(client, settings));
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
