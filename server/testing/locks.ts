import { connectOwner } from '#server/db/migrate.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/** Resolves once so many of the application's statements wait for a lock that another holds. */
export async function waitingForLocks({ make }: Pick<TestServer, 'make'>, atLeast: number): Promise<void> {
  await until(`${atLeast} statements to wait for a lock`, async () => {
    const { rowCount } = await make.sql(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return Number(rowCount) >= atLeast;
  });
}

/**
 * Lets `work` meet a transaction that has run `statement` and is not over: it commits once so many statements of the
 * application wait for it.
 * @returns what `work` returned
 */
export async function beside<Result>(
  server: TestServer,
  [statement, values]: [string, unknown[]],
  waiting: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const other = await connectOwner(server.services.env.databaseUrl ?? '');
  try {
    await other.query('begin');
    await other.query(statement, values);
    const result = work();
    await waitingForLocks(server, waiting);
    await other.query('commit');
    return await result;
  } finally {
    await other.end();
  }
}
