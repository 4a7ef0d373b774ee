import { connectOwner } from '#server/db/migrate.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/** Resolves once at least `atLeast` statements of the application wait for a lock. */
export async function waitForLocks({ make }: Pick<TestServer, 'make'>, atLeast: number): Promise<void> {
  await until(`${atLeast} statements to wait for a lock`, async () => {
    const { rowCount } = await make.sql(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return Number(rowCount) >= atLeast;
  });
}

/** Runs `work` beside an open transaction that has run `statement`, then `settle` once `waiting` statements wait for it. */
async function besideTransaction<Result>(
  server: TestServer,
  [statement, values]: [string, unknown[]],
  waiting: number,
  work: () => Promise<Result>,
  settle: string,
): Promise<Result> {
  const other = await connectOwner(server.services.env.databaseUrl ?? '');
  try {
    await other.query('begin');
    await other.query(statement, values);
    const result = work();
    await waitForLocks(server, waiting);
    await other.query(settle);
    return await result;
  } finally {
    await other.end();
  }
}

/**
 * Runs `work` beside an open transaction that has run `statement`, and commits the transaction once enough statements of the
 * application wait for it.
 * @returns the result of `work`
 */
export function duringTransaction<Result>(
  server: TestServer,
  statement: [string, unknown[]],
  waiting: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return besideTransaction(server, statement, waiting, work, 'commit');
}

/**
 * Runs `work` beside an open transaction that has locked `held`, a table or the rows of a statement, and ends the
 * connections of the application that wait for it, then the transaction.
 * @returns the result of `work`
 */
export function losingDatabase<Result>(
  server: TestServer,
  held: string | [string, unknown[]],
  work: () => Promise<Result>,
): Promise<Result> {
  const endWaiting = `select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'; commit`;
  const statement: [string, unknown[]] = typeof held === 'string' ? [`lock table ${held}`, []] : held;
  return besideTransaction(server, statement, 1, work, endWaiting);
}
