import { sql } from 'drizzle-orm';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import type { TestUser } from './factories.ts';
import type { TestServer } from './server.ts';

/** A project's total as the database holds it. */
export async function spentToDate({ services }: TestServer, projectId: number): Promise<string> {
  const { rows } = await readAs(services.pool, SYSTEM).execute<{ spent: string }>(
    sql`select spent_to_date as spent from projects where id = ${projectId}`,
  );
  return String(rows[0]?.spent);
}

/** Kept totals and counts that are not what the records say, and projects whose total is not that of their invoices. */
export async function totalMismatches({ make }: Pick<TestServer, 'make'>): Promise<{ what: string }[]> {
  const { rows } = await make.sql<{ what: string }>(
    `select 'project ' || id as what from project_total_mismatches union all select key from total_mismatches`,
  );
  return rows;
}

/** Paths of the stored files of `owner`, or of everybody. */
export async function storedPaths({ services }: TestServer, owner?: TestUser): Promise<string[]> {
  const paths = [];
  for await (const { path } of services.files.list()) paths.push(path);
  return paths.filter((path) => !owner || path.startsWith(`${owner.id}/`)).sort();
}
