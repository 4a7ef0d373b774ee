import { type SQL, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { KEPT_DAYS, type KeptTable } from '#contract/retention.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';

/** A rule for automatic deletion. */
type Rule = {
  /** Column with the time from which the period counts. */
  since: string;
  /** SQL condition that limits the rule to some rows. */
  only?: SQL;
};

/**
 * Data deleted after its period (`contract/retention.ts`). Anything else is deleted with its account or is a fiscal
 * record; docs/privacy.md has the full list.
 */
const RETENTION: Record<KeptTable, Rule> = {
  // Copies of requests, to see what was sent when somebody asks.
  mail_messages: { since: 'created_at', only: sql`state <> 'queued'` },
  // Visitors who did not become customers.
  contact_requests: { since: 'created_at' },
  // To answer a question about an earlier answer.
  support_requests: { since: 'created_at' },
  // Wishes for a trip that was quoted or never made.
  requirements: { since: 'created_at' },
  // Security of accounts: traces of an intrusion are often looked for late.
  audit_events: { since: 'at' },
};

const DAY_MS = 86_400_000;

/**
 * Deletes expired rows, each table in its own transaction.
 * @returns the number of deleted rows per table
 */
export async function purge(pool: Pool, log: Logger): Promise<Record<string, number>> {
  const now = new Date();
  const purged: Record<string, number> = {};
  for (const [table, days] of Object.entries(KEPT_DAYS)) {
    const { since, only = sql`true` } = RETENTION[table as KeptTable];
    const cutoff = new Date(now.getTime() - days * DAY_MS).toISOString();
    const statement = sql`delete from ${sql.identifier(table)}
      where ${sql.identifier(since)} < ${cutoff}::timestamptz and ${only}`;
    const { rowCount } = await transaction(pool, SYSTEM, (tx) => tx.execute(statement));
    purged[table] = rowCount ?? 0;
  }
  // Expired sessions, links and codes: docs/privacy.md allows a day for them, the interval between two runs.
  const { rows } = await transaction(pool, SYSTEM, (tx) =>
    tx.execute<{ purged: number }>(
      sql`select purge_credentials(${now.toISOString()}::timestamptz) as purged`,
    ),
  );
  purged.credentials = rows[0]?.purged ?? 0;
  log.info({ purged }, 'retention');
  return purged;
}
