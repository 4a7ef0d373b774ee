import { sql } from 'drizzle-orm';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import type { TestUser } from './factories.ts';
import type { TestServer } from './server.ts';

/** The stored total of a project. */
export async function spentToDate({ services }: TestServer, projectId: number): Promise<string> {
  const { rows } = await readAs(services.pool, SYSTEM).execute<{ spent: string }>(
    sql`select spent_to_date as spent from projects where id = ${projectId}`,
  );
  return String(rows[0]?.spent);
}

/** Stored totals and counts that differ from the records, and projects whose total differs from their invoices. */
export async function totalMismatches({ make }: Pick<TestServer, 'make'>): Promise<{ what: string }[]> {
  const { rows } = await make.sql<{ what: string }>(
    `select 'project ' || id as what from project_total_mismatches union all select key from total_mismatches`,
  );
  return rows;
}

/** Paths of the stored files of `owner`, or of all owners. */
export async function storedPaths({ services }: TestServer, owner?: TestUser): Promise<string[]> {
  const paths = [];
  for await (const { path } of services.files.list()) paths.push(path);
  return paths.filter((path) => !owner || path.startsWith(`${owner.id}/`)).sort();
}
