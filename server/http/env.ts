import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { ErrorCode } from '#contract/errors.ts';
import type { Actor } from '#server/auth/actor.ts';
import { type Database, readAs, type Scope, scopeOf, transaction, VISITOR } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';

/** The variables in the context of every handler. */
export type AppEnv = {
  Variables: {
    services: Services;
    requestId: string;
    log: Logger;
    actor: Actor | undefined;
    /** Why the request was refused or failed, if it was. */
    failure: ErrorCode | undefined;
  };
};

/**
 * The signed-in actor.
 * @throws AppError unauthenticated, possible only in a route declared 'anonymous'
 */
export function actorOf(c: Context<AppEnv>): Actor {
  const actor = c.get('actor');
  if (!actor) throw new AppError('unauthenticated');
  return actor;
}

function requestScope(c: Context<AppEnv>): Scope {
  const actor = c.get('actor');
  return actor ? scopeOf(actor) : VISITOR;
}

/** A database that reads as the request's actor. */
export function reading(c: Context<AppEnv>): Database {
  return readAs(c.get('services').pool, requestScope(c));
}

/** Runs `work` in one transaction as the request's actor. */
export function writing<Result>(
  c: Context<AppEnv>,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return transaction(c.get('services').pool, requestScope(c), work);
}
